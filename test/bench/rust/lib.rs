//! Rust's aho-corasick behind a C interface.
//!
//! kind: 0 noncontiguous NFA, 1 contiguous NFA, 2 DFA; version 0.7 (feature
//! "old") has no contiguous NFA.  Overlapping search never uses a prefilter;
//! "is anything there" does, if it was asked for.
use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use std::slice;

#[repr(C)]
pub struct Found {
    count: u64,
    sum: u64,
}

unsafe fn patterns<'a>(pool: *const u8, offsets: *const u64, count: u32) -> Vec<&'a [u8]> {
    let offsets = slice::from_raw_parts(offsets, count as usize + 1);
    let size = offsets[count as usize] as usize;
    let pool = slice::from_raw_parts(pool, size);
    offsets
        .windows(2)
        .map(|w| &pool[w[0] as usize..w[1] as usize])
        .collect()
}

#[cfg(feature = "old")]
fn build(kind: u32, prefilter: bool, patterns: &[&[u8]]) -> Option<AhoCorasick> {
    if kind == 1 {
        return None;
    }
    Some(
        AhoCorasickBuilder::new()
            .match_kind(MatchKind::Standard)
            .prefilter(prefilter)
            .dfa(kind == 2)
            .build(patterns),
    )
}

#[cfg(feature = "old")]
fn size(automaton: &AhoCorasick) -> usize {
    automaton.heap_bytes()
}

#[cfg(not(feature = "old"))]
fn build(kind: u32, prefilter: bool, patterns: &[&[u8]]) -> Option<AhoCorasick> {
    use aho_corasick::AhoCorasickKind::{ContiguousNFA, NoncontiguousNFA, DFA};
    let kinds = [NoncontiguousNFA, ContiguousNFA, DFA];
    AhoCorasickBuilder::new()
        .match_kind(MatchKind::Standard)
        .prefilter(prefilter)
        .kind(Some(kinds[kind as usize]))
        .build(patterns)
        .ok()
}

#[cfg(not(feature = "old"))]
fn size(automaton: &AhoCorasick) -> usize {
    automaton.memory_usage()
}

/// # Safety
/// offsets holds count + 1 ascending offsets into pool.
#[no_mangle]
pub unsafe extern "C" fn rust_build(
    kind: u32,
    prefilter: bool,
    pool: *const u8,
    offsets: *const u64,
    count: u32,
) -> *mut AhoCorasick {
    match build(kind, prefilter, &patterns(pool, offsets, count)) {
        Some(automaton) => Box::into_raw(Box::new(automaton)),
        None => std::ptr::null_mut(),
    }
}

/// # Safety
/// automaton comes from rust_build and is not used afterwards.
#[no_mangle]
pub unsafe extern "C" fn rust_destroy(automaton: *mut AhoCorasick) {
    drop(Box::from_raw(automaton));
}

/// # Safety
/// automaton comes from rust_build.
#[no_mangle]
pub unsafe extern "C" fn rust_size(automaton: *const AhoCorasick) -> usize {
    size(&*automaton)
}

/// # Safety
/// automaton comes from rust_build, text has size bytes.
#[no_mangle]
pub unsafe extern "C" fn rust_all(
    automaton: *const AhoCorasick,
    text: *const u8,
    size: usize,
) -> Found {
    let text = slice::from_raw_parts(text, size);
    let mut found = Found { count: 0, sum: 0 };
    for m in (*automaton).find_overlapping_iter(text) {
        found.count += 1;
        found.sum += (2 * m.end() - m.start()) as u64;
    }
    found
}

/// # Safety
/// automaton comes from rust_build, text has size bytes.
#[no_mangle]
pub unsafe extern "C" fn rust_any(
    automaton: *const AhoCorasick,
    text: *const u8,
    size: usize,
) -> bool {
    (*automaton).is_match(slice::from_raw_parts(text, size))
}

# The unit tests of the core: plain C, without PostgreSQL.
#
#	make -f test/unit/unit.mk check				build and run all of it
#	make -f test/unit/unit.mk check LONG=1		the long mode
#	make -f test/unit/unit.mk check TESTS=test_match BUILDS=gcc
#
# To run one test again as it failed:
#	build/unit/gcc/test_match --seed 12345
#
# Everything is built twice, optimised by gcc and under the sanitizers by clang
# (gcc where there is no clang), into build/unit/BUILD; and what matches once
# more, as on a processor without vectors.

TOP    := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
OUT     = $(TOP)/build/unit
BUILDS ?= gcc sanitized plain
TESTS  ?= $(sort $(basename $(notdir $(wildcard $(TOP)/test/unit/test_*.c))))

CORE    = $(sort $(notdir $(wildcard $(TOP)/src/core/*.c)))
HELPERS = tap.c host.c ruleset.c oracle.c edge.c subject.c hits.c survive.c \
		  worlds.c

WARNINGS = -std=c11 -Wall -Wextra -Werror -Wdeclaration-after-statement
CPPFLAGS = -I$(TOP)/src/core -I$(TOP)/test/unit -MMD -MP
LIBS     = -lcrypto

CC_gcc           = gcc
CFLAGS_gcc       = -O2 -g
CC_sanitized    := $(or $(shell command -v clang),gcc)
# polls so often that each place is interrupted that can be
CFLAGS_sanitized = -DAC_POLL_STEPS=32 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CC_plain         = gcc
CFLAGS_plain     = -O2 -g -DAC_NO_SIMD
TESTS_plain      = test_filter test_known test_match
# Lines that were run, for "make coverage"
CC_coverage      = gcc
CFLAGS_coverage  = -O0 -g --coverage

PROGRAMS = $(foreach build,$(BUILDS),$(addprefix $(OUT)/$(build)/,\
		   $(filter $(or $(TESTS_$(build)),%),$(TESTS))))

all: $(PROGRAMS)

check: all
	@bash $(TOP)/test/unit/run.sh --built $(if $(LONG),--long) $(PROGRAMS)

clean:
	rm -rf $(OUT)

define build_rules
$(OUT)/$(1)/%.o: $(TOP)/src/core/%.c
	@mkdir -p $$(@D)
	$$(CC_$(1)) $$(CFLAGS_$(1)) $$(WARNINGS) $$(CPPFLAGS) -c -o $$@ $$<

$(OUT)/$(1)/%.o: $(TOP)/test/unit/%.c
	@mkdir -p $$(@D)
	$$(CC_$(1)) $$(CFLAGS_$(1)) $$(WARNINGS) $$(CPPFLAGS) -c -o $$@ $$<

$(OUT)/$(1)/test_%: $(OUT)/$(1)/test_%.o $(patsubst %.c,$(OUT)/$(1)/%.o,$(HELPERS) $(CORE))
	$$(CC_$(1)) $$(CFLAGS_$(1)) -o $$@ $$^ $$(LIBS)
endef
$(foreach build,$(BUILDS),$(eval $(call build_rules,$(build))))

-include $(wildcard $(OUT)/*/*.d)

.PHONY: all check clean
.SECONDARY:

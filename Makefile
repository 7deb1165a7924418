# ac: multi-pattern matching for PostgreSQL.
#
#	make, make install, make installcheck	as with any PGXS extension
#	make demo, make test					need nothing but make and Debian
#	make help								lists every target
#
# Which PostgreSQL is built for: make PG_CONFIG=/path/to/pg_config

EXTENSION  = ac
MODULE_big = ac
PGFILEDESC = "ac - many patterns, one pass"
DATA       = $(sort $(wildcard sql/ac--*.sql))
AC_HEADERS = $(wildcard src/*/*.h)
CORE_OBJS  = $(patsubst %.c,%.o,$(sort $(wildcard src/core/*.c)))
GLUE_OBJS  = $(patsubst %.c,%.o,$(sort $(wildcard src/pg/*.c)))
OBJS       = $(CORE_OBJS) $(GLUE_OBJS)

# Each topic is sql/TOPIC.sql with expected/TOPIC.out; pg_regress creates the
# extension before the first one.
REGRESS      = type build agg io errors setops inspect find match kinds replace \
			   encoding reports planner cache toast plpgsql parallel longbody cancel
REGRESS_OPTS = --load-extension=$(EXTENSION) --encoding=UTF8 --no-locale

# As system headers the server's do not warn; ours do.
PG_CPPFLAGS = -Isrc/core -Isrc/pg -isystem $(includedir_server)
PG_CFLAGS   = -Wall -Wextra
EXTRA_CLEAN = build

PG_CONFIG ?= pg_config
PGXS      := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))

ifneq ($(PGXS),)
include $(PGXS)

# The core's inner loops gain from -O3; server headers stay out of it.
$(CORE_OBJS): override CFLAGS += -O3

$(OBJS) $(OBJS:.o=.bc): $(AC_HEADERS) Makefile
else
all install uninstall installcheck clean:
	@echo "$(PG_CONFIG) was not found, or has no PGXS beside it." >&2
	@echo "On Debian: apt-get install postgresql-server-dev-all" >&2
	@echo "Elsewhere: make PG_CONFIG=/path/to/pg_config" >&2
	@exit 1
.PHONY: all install uninstall installcheck clean
endif

# ---- beside PGXS: these targets need no PostgreSQL beforehand ----

demo:				## real attack patterns in real log lines, in a throwaway cluster
	@bash scripts/demo.sh

demo-stop:			## stop that cluster and remove it
	@bash scripts/demo.sh stop

test:				## every test (T=FILE: one TAP file; PHASES="unit regress": some)
	@bash scripts/test.sh $(PHASES)

test-all-versions:	## every test on PostgreSQL 13, 15, 17 and 18
	@bash scripts/versions.sh $(VERSIONS)

test-upgrade:		## pg_upgrade and pg_dump between PostgreSQL 15 and 17 (root)
	@bash scripts/upgrade.sh

fuzz:				## fuzzing of the core (SECONDS=600 for each of TARGETS)
	@bash scripts/fuzz.sh $(SECONDS) $(TARGETS)

static:				## gcc's analyzer, clang-tidy and cppcheck on the core
	@bash scripts/static.sh

coverage:			## which lines the tests run
	@bash scripts/coverage.sh

bench:				## speed and size, against the other engines and LIKE
	@bash test/bench/run.sh

picture:			## draw the README's picture anew (needs Graphviz and a server)
	@bash scripts/picture.sh

installcheck-tap:	## the TAP tests against the installed extension
	@PG_CONFIG=$(PG_CONFIG) bash scripts/tap.sh $(T)

help:				## this list
	@sed -n 's/^\([a-z-]*\):[\t ]*## /  \1\t/p' Makefile | expand -t 24

print-%:
	@echo '$($*)'

.PHONY: demo demo-stop test test-all-versions test-upgrade fuzz static coverage bench picture installcheck-tap help

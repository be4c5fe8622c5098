"""No home directory, an odd one, and unusable directories for state, cache and config: commands
that can work without them work as always, others are refused before any change, and nothing is made
in other directories. Full disks, and directories that not even the superuser may write, need
mounts."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from matrix import DONE, FAILED, NOTHING, Line, MatrixCase, harness

PLACES = ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
          "XDG_RUNTIME_DIR")
# Commands about the local state or the cache, which may report that it is missing.
ABOUT_STATE = ("log", "outbox", "doctor")
ABOUT_CACHE = ("index rebuild",)


class Places(MatrixCase):

    def without(self, **more):
        """Returns an environment without directories except the given ones; mailboxes are unchanged."""
        return {**dict.fromkeys(PLACES), "CLAUDE_CONFIG_DIR": os.path.join(self.box.home, ".claude"),
                "OPENCLAW_STATE_DIR": os.path.join(self.box.home, ".openclaw"), **more}

    def names(self):
        """Returns all directories and files, except mailboxes."""
        return {os.path.join(where, name) for where, dirs, files in os.walk(self.box.root)
                for name in dirs + files
                if not any(where.startswith(top) for top in self.world.tops)}

    def check_stateless(self, env, lines=None, **more):
        """Checks that a command that needs a local state names the places for one."""
        for line in lines or self.some:
            with self.subTest(line=str(line)):
                usual, _ = self.undisturbed(line)
                self.renew(line)
                result = self.run_line(line, env, **more)
                if result.rc == FAILED:
                    self.assert_nothing_done(line, result, env, (FAILED,))
                    self.assertTrue(line.writes or line.name in ABOUT_STATE + ("index",), str(result))
                    self.assertRegex(result.err, "XDG_(STATE|CACHE)_HOME|directory|disk|read-only")
                else:
                    codes = (NOTHING,) if line.name in ABOUT_STATE else ()
                    self.assert_like_usual(line, result, env, (usual.rc, *codes))

    def check_as_usual(self, env, but=()):
        for line in self.some:
            with self.subTest(line=str(line)):
                usual, _ = self.undisturbed(line)
                self.renew(line)
                result = self.run_line(line, env)
                codes = (FAILED,) if str(line) in but else (usual.rc,)
                self.assert_like_usual(line, result, env, codes)

    def blocked(self):
        path = os.path.join(self.box.root, "blocked")
        with open(path, "w"):
            return os.path.join(path, "beneath")

    def test_without_a_home_directory_mail_is_read_and_nothing_is_written(self):
        self.check_stateless(self.without(), self.lines)

    def test_a_relative_home_directory_is_none(self):
        before = self.names()
        self.check_stateless(self.without(HOME="home"), cwd=self.project)
        self.check_stateless(self.without(HOME="", XDG_STATE_HOME="state", XDG_CACHE_HOME="cache"))
        self.assertLessEqual({name for name in self.names() - before
                              if not name.startswith(self.box.home)}, set())
        self.assertFalse(os.path.exists(os.path.join(self.project, "home")))

    def test_a_home_directory_that_is_not_there_is_made_when_it_is_needed(self):
        home = os.path.join(self.box.root, "not", "there")
        env = self.without(HOME=home)
        self.run_line(Line("messages"), env)
        self.check_as_usual(env)
        self.assertTrue(os.path.exists(os.path.join(home, ".local/state/swarmutt/state.db")))
        for where, dirs, names in os.walk(os.path.join(self.box.root, "not")):
            for name in dirs + names:
                mode = os.stat(os.path.join(where, name)).st_mode
                self.assertFalse(mode & 0o077, os.path.join(where, name))

    def test_relative_places_are_ignored(self):
        self.check_as_usual(self.without(HOME=self.box.home, XDG_STATE_HOME="rel",
                                         XDG_CACHE_HOME="./rel", XDG_CONFIG_HOME="../rel"))
        for name in ("project/rel", "rel"):
            self.assertFalse(os.path.exists(os.path.join(self.box.root, name)))

    def test_where_no_state_can_be_made_nothing_is_written(self):
        self.check_stateless({"XDG_STATE_HOME": self.blocked()})

    def test_where_no_cache_can_be_made_everything_works(self):
        self.check_as_usual({"XDG_CACHE_HOME": self.blocked()}, ABOUT_CACHE)

    def test_a_config_that_cannot_be_there_is_none(self):
        self.check_as_usual({"XDG_CONFIG_HOME": self.blocked()})

    def test_in_a_directory_that_is_gone_what_is_named_is_found(self):
        gone = os.path.join(self.box.root, "gone")
        os.mkdir(gone)
        env = self.without(HOME=self.box.home)
        line = Line("show", "one", "--source", os.path.join(self.box.home, ".claude"))
        result = self.run_line(line, env, cwd=gone, preexec_fn=lambda: os.rmdir(gone))
        self.assertEqual(result.rc, DONE, str(result))


if __name__ == "__main__":
    harness.main()

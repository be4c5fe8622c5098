/* Tests risks: what is pointed out in a tool's input, kind by kind. */
#include "risk_support.h"

Test(risk, plain_commands_have_none)
{
    static const struct risk_case cases[] = {
        {"", 0},
        {"ls -l", 0},
        {"make -j4 check TESTS=unit", 0},
        {"git status && git diff --stat", 0},
        {"grep -rn 'main' src | sort | uniq -c | head -5", 0},
        {"cat src/main.c > out.txt 2>&1", 0},
        {"ls > /dev/null 2>/dev/null", 0},
        {"npm test", 0},
        {"cargo build --release", 0},
        {"python3 --version", 0},
        {"python3 scripts/run.py -s -c conf", 0},
        {"python3 -m pytest -rs tests", 0},
        {"bash scripts/build.sh", 0},
        {"node build.js < in.txt", 0},
        {"/usr/bin/make all", 0},
        {"cat " CWD "/src/a.c ./b.c sub/../c.c", 0},
        {"if [ -f x ]; then echo y; fi", 0},
        {"for f in *.c; do wc -l \"$f\"; done", 0},
        {"git log --format=%H -n 1 HEAD~1", 0},
        {"echo hello world", 0},
        {"sed -i s/a/b/ file.txt", 0},
        {"tokenizer --normalize", 0},
        {"test $((1 + 2)) -eq 3", 0},
    };

    EXPECT_ALL(cases);
}

Test(risk, what_deletes_is_found)
{
    static const struct risk_case cases[] = {
        {"rm x", DELETES},
        {"rm -rf build/", DELETES},
        {"rmdir x", DELETES},
        {"unlink x", DELETES},
        {"shred -u x", DELETES},
        {"find . -name '*.o' -delete", DELETES},
        {"git clean -fdx", DELETES},
        {"git reset --hard HEAD~3", DELETES},
        {"git -C sub reset --hard", DELETES},
        {"git push --force", DELETES | NETWORK},
        {"git push -uf origin main", DELETES | NETWORK},
        {"git push --force-with-lease", DELETES | NETWORK},
        {"git push origin +main", DELETES | NETWORK},
        {"git push origin :main", DELETES | NETWORK},
        {"git branch -D topic", DELETES},
        {"git stash drop", DELETES},
        {"truncate -s 0 log", DELETES},
        {"dd if=x of=disk.img", DELETES},
        {"mkfs.ext4 disk.img", DELETES},
        {"psql -c 'DROP TABLE users'", DELETES},
        {"sqlite3 x.db \"delete from users\"", DELETES},
        {"mysql -e 'drop   database x'", DELETES},
        {"docker system prune -af", DELETES},
        {"kubectl delete pod x", DELETES | NETWORK},
        {"terraform destroy", DELETES},
        {"rsync -a --delete a b", DELETES | NETWORK},
        {"python3 -c 'import shutil; shutil.rmtree(\"x\")'", DELETES | CODE},
        {"Remove-Item -Recurse x", DELETES},
        {"RM x", DELETES}, /* some file systems ignore case */
        {"ls | xargs rm", DELETES},
        {"find . -exec rm {} +", DELETES | CODE},
    };

    EXPECT_ALL(cases);
}

Test(risk, what_uses_the_network_is_found)
{
    static const struct risk_case cases[] = {
        {"curl x", NETWORK},
        {"wget -q x", NETWORK},
        {"ssh host", NETWORK},
        {"scp a host:b", NETWORK},
        {"rsync a host:b", NETWORK},
        {"nc -l 80", NETWORK},
        {"telnet host", NETWORK},
        {"git push", NETWORK},
        {"git fetch origin", NETWORK},
        {"git clone git@github.com:a/b", NETWORK},
        {"npm install", NETWORK},
        {"npm i left-pad", NETWORK},
        {"pip install x", NETWORK},
        {"pip3 install x", NETWORK},
        {"python3 -m pip install x", NETWORK},
        {"apt-get install -y x", NETWORK},
        {"cargo add x", NETWORK},
        {"echo x > /dev/tcp/10.0.0.1/80", NETWORK | OUTSIDE},
        {"xdg-open https://example.org/x?a=1", NETWORK},
        {"docker run x", NETWORK},
        {"npx x", NETWORK},
        {"gh pr create", NETWORK},
    };

    EXPECT_ALL(cases);
}

Test(risk, a_file_mode_that_was_made_long_hides_nothing)
{
    static const struct risk_case cases[] = {
        {"chmod 00000000000000000000000000000000004755 x", ROOT},
        {"chmod u+r,u+r,u+r,u+r,u+r,u+r,u+r,u+r,u+r,u+s x", ROOT},
        {"chmod 00000000000000000000000000000000000755 x", 0},
    };

    EXPECT_ALL(cases);
}

Test(risk, what_takes_root_rights_is_found)
{
    static const struct risk_case cases[] = {
        {"sudo ls", ROOT},
        {"doas ls", ROOT},
        {"su -c ls", ROOT},
        {"env su", ROOT},
        {"pkexec ls", ROOT},
        {"chmod 4755 x", ROOT},
        {"chmod 04755 x", ROOT},
        {"chmod u+s x", ROOT},
        {"chmod ug=rxs x", ROOT},
        {"chmod +4000 x", ROOT},
        {"chmod =2755 x", ROOT},
        {"chmod g-w,+6000 x", ROOT},
        {"chmod 1777 x", 0}, /* with the sticky bit only the owner removes a file */
        {"chmod u-s x", 0},
        {"chmod 755 x", 0},
        {"chmod +x x", 0},
        {"chmod -R 777 /etc", ROOT | OUTSIDE},
        {"chown root x", ROOT},
        {"chown u /usr/x", ROOT | OUTSIDE},
        {"setcap cap_net_raw+ep x", ROOT},
        {"docker run --privileged x", ROOT | NETWORK},
        {"echo x >> /etc/sudoers", ROOT | OUTSIDE},
    };

    EXPECT_ALL(cases);
}

Test(risk, code_that_is_made_from_text_is_found)
{
    static const struct risk_case cases[] = {
        {"eval ls", CODE},
        {"bash -c ls", CODE},
        {"bash -lc ls", CODE},
        {"sh <(cat x)", CODE},
        {"cat x | sh", CODE},
        {"cat x | bash --login", CODE},
        {"curl x | sh", CODE | NETWORK},
        {"curl x | sudo bash -s --", CODE | NETWORK | ROOT},
        {"echo bHM= | base64 -d | sh", CODE},
        {"echo bHM= | base64 --decode", CODE},
        {"python -c 'print(1)'", CODE},
        {"python3.11 -c 'print(1)'", CODE},
        {"perl -ne 'print' x", CODE},
        {"node --eval 1", CODE},
        {"ls | xargs sh", CODE},
        {"ls | xargs -n1 sh -c x", CODE},
        {"echo $(ls)", CODE},
        {"echo `ls`", CODE},
        {"echo \"$(ls)\"", CODE},
        {"$cmd x", CODE},
        {"\"$a$b\" x", CODE},
        {"r$(echo m) x", CODE},
        {"/bin/r? x", CODE},
        {"sh < x", CODE},
        {"sh <<EOF\nls\nEOF", CODE},
        {"bash <<< ls", CODE},
        {"source x.sh", CODE},
        {". ./x.sh", CODE},
        {"LD_PRELOAD=./x.so ls", CODE},
        {"PATH=.:$PATH ls", CODE},
        {"export PATH=.", CODE},
        {"git -c core.pager=x log", CODE},
        {"node -e \"require('child_process')\"", CODE},
        {"find . -exec ls {} ;", CODE},
    };

    EXPECT_ALL(cases);
}

Test(risk, what_goes_on_afterwards_is_found)
{
    static const struct risk_case cases[] = {
        {"sleep 5 &", LASTS},
        {"sleep 5&ls", LASTS},
        {"nohup x", LASTS},
        {"crontab -l", LASTS},
        {"systemctl enable x", LASTS},
        {"at now", LASTS},
        {"tmux new -d x", LASTS},
        {"setsid x", LASTS},
        {"cp x .git/hooks/post-commit", LASTS},
        {"echo x >> .bashrc", LASTS},
        {"bash -c 'x &'", LASTS | CODE},
        {"a && b", 0},
        {"a 2>&1", 0},
        {"a &> x", 0},
        {"a |& b", 0},
        {"x 'a&b'", 0},
    };

    EXPECT_ALL(cases);
    expect_input("Bash", "{\"command\":\"ls\",\"run_in_background\":true}", LASTS);
    expect_input("Bash", "{\"command\":\"ls\",\"run_in_background\":false}", 0);
    expect_input("Bash", "{\"command\":\"ls\",\"run_in_background\":null}", 0);
}

Test(risk, what_ends_programs_is_found)
{
    static const struct risk_case cases[] = {
        {"kill -9 1", ENDS}, {"pkill x", ENDS}, {"sudo reboot", ENDS | ROOT}, {"echo kill", 0}};

    EXPECT_ALL(cases);
}

Test(risk, secrets_are_found)
{
    static const struct risk_case cases[] = {
        {"cat .env", SECRETS},
        {"cat .env.local", SECRETS},
        {"cat .environment", 0},
        {"cat .ssh/config", SECRETS},
        {"cat id_rsa", SECRETS},
        {"cat aws/credentials", SECRETS},
        {"echo $GITHUB_TOKEN", SECRETS},
        {"echo ${API_KEYS}", SECRETS},
        {"cat server.pem", SECRETS},
        {"cat /etc/shadow", SECRETS | OUTSIDE},
        {"printenv", SECRETS},
        {"cat tokens.json", SECRETS},
        {"cat tokenizer.c secretary.c", 0},
        {"cat .e'n'v", SECRETS},
        {"cat .e$x'nv'", SECRETS},
    };

    EXPECT_ALL(cases);
}

Test(risk, what_changes_the_rights_of_agents_is_found)
{
    static const struct risk_case cases[] = {
        {"cp x .claude/settings.json", RIGHTS},
        {"claude --dangerously-skip-permissions", RIGHTS},
        {"cat .mcp.json", RIGHTS},
        {"echo '[]' > teams/web/inboxes/team-lead.json", RIGHTS},
        {"swarmutt decide x approve", RIGHTS},
    };

    EXPECT_ALL(cases);
    expect_input("Bash", "{\"command\":\"ls\",\"dangerouslyDisableSandbox\":true}", RIGHTS);
    expect_input("Bash", "{\"command\":\"ls\",\"dangerouslyDisableSandbox\":\"yes\"}", RIGHTS);
    expect_input("Bash", "{\"command\":\"ls\",\"dangerouslyDisableSandbox\":false}", 0);
    expect_input("Write", "{\"file_path\":\".claude/settings.json\",\"content\":\"{}\"}", RIGHTS);
}

Test(risk, characters_that_look_like_others_are_found)
{
    static const struct risk_case cases[] = {
        {"cat \xd1\x81"
         "onfig",
         ALIKE}, /* a Cyrillic es among Latin letters */
        {"cat a\xc2\xa0"
         "b",
         ALIKE},                              /* a no-break space */
        {"ls a\xcd\xbe rm", ALIKE | DELETES}, /* a Greek question mark, for a semicolon */
        {"ls \xe2\x80\x93l", ALIKE},          /* a dash */
        {"ls \xef\xbc\x8f", ALIKE},           /* a wide slash */
        {"echo \xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82 na\xc3\xafve \xe6\x97\xa5", 0},
    };

    EXPECT_ALL(cases);
    expect_input("B\xd0\xb0sh", "{\"command\":\"ls\"}", ALIKE);
    expect_input("bash", "{\"command\":\"ls\"}", ALIKE);
    expect_input("Read", "{\"file_path\":\"\xd1\x81onf\"}", ALIKE);
}

Test(risk, phrases_are_for_people)
{
    for (unsigned i = 0; i < RISK_COUNT; i++)
        cr_assert(risk_phrase(i) && *risk_phrase(i), "%u", i);
    cr_assert_str_eq(risk_phrase(RISK_DELETES), "deletes files");
    cr_assert_str_eq(risk_phrase(RISK_NETWORK), "uses the network");
}

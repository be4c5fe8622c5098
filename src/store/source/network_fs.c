/* File systems that other machines write to. */
#include "store/source/network_fs.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/vfs.h>

static const struct {
    uint32_t type; /* as in statfs(2) */
    const char *why;
} silent[] = {
    {0x6969, "the file system is NFS, which does not tell what others change"},
    {0xff534d42, "the file system is CIFS, which does not tell what others change"},
    {0xfe534d42, "the file system is SMB, which does not tell what others change"},
    {0x517b, "the file system is SMB, which does not tell what others change"},
    {0x01021997, "the file system is 9P, which does not tell what others change"},
    {0x65735546, "the file system is FUSE, which may not tell what others change"},
    {0x00c36400, "the file system is Ceph, which does not tell what others change"},
    {0x5346414f, "the file system is AFS, which does not tell what others change"},
    {0x6b414653, "the file system is AFS, which does not tell what others change"},
    {0x0bd00bd0, "the file system is Lustre, which does not tell what others change"},
    {0x47504653, "the file system is GPFS, which does not tell what others change"},
    {0x01161970, "the file system is GFS2, which does not tell what others change"},
    {0x7461636f, "the file system is OCFS2, which does not tell what others change"},
    {0x786f4256, "the file system is a shared folder, which does not tell what others change"},
    {0xbacbacbc, "the file system is a shared folder, which does not tell what others change"},
};

const char *filesystem_is_silent(int dir)
{
    struct statfs fs;

    if (dir < 0 || fstatfs(dir, &fs) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if ((uint32_t)fs.f_type == silent[i].type)
            return silent[i].why;
    return NULL;
}

//! What to run on a server so that there is something good to import.

/// A query or a command, and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query {
    /// What it is called: `history`.
    pub name: &'static str,
    /// What it gives, and how to save that.
    pub purpose: &'static str,
    /// The language: `T-SQL`, `shell`.
    pub language: &'static str,
    /// The text to run.
    pub text: &'static str,
}

/// The backup history of the last quarter, one row a backup.
///
/// The history counts whole seconds, and holds neither the options of a statement nor a
/// verification; how many files there were, and on how many volumes the data lay, it does know.
pub const BACKUP_HISTORY: &str = "\
SELECT s.server_name, s.database_name, s.type,
       s.backup_start_date, s.backup_finish_date,
       s.backup_size, s.compressed_backup_size,
       s.is_copy_only, s.is_snapshot, s.backup_set_id,
       f.family_sequence_number, f.physical_device_name,
       f.device_type, f.physical_block_size,
       v.volumes
FROM msdb.dbo.backupset AS s
JOIN msdb.dbo.backupmediafamily AS f
  ON f.media_set_id = s.media_set_id AND f.mirror = 0
OUTER APPLY (SELECT COUNT(DISTINCT b.physical_drive) AS volumes
             FROM msdb.dbo.backupfile AS b
             WHERE b.backup_set_id = s.backup_set_id
               AND b.file_type = 'D') AS v
WHERE s.backup_start_date >= DATEADD(DAY, -92, GETDATE())
ORDER BY s.backup_start_date, s.backup_set_id,
         f.family_sequence_number;";

/// Rows of backups and verifications of `dbo.CommandLog`: exact times and whole statements.
const COMMAND_LOG: &str = "\
SELECT ID, DatabaseName, CommandType, Command,
       StartTime, EndTime, ErrorNumber
FROM dbo.CommandLog
WHERE CommandType IN (N'BACKUP_DATABASE', N'RESTORE_VERIFYONLY')
  AND StartTime >= DATEADD(DAY, -92, SYSDATETIME())
ORDER BY ID;";

/// Completion messages of the error logs, with milliseconds.
const ERROR_LOG: &str = "\
EXEC master.sys.xp_readerrorlog 0, 1, N'Backup';
EXEC master.sys.xp_readerrorlog 1, 1, N'Backup';";

/// Waits of backups since the server was started.
const WAITS: &str = "\
SELECT wait_type, waiting_tasks_count, wait_time_ms, max_wait_time_ms
FROM sys.dm_os_wait_stats
WHERE wait_type IN (N'BACKUPIO', N'BACKUPBUFFER', N'BACKUPTHREAD',
                    N'ASYNC_IO_COMPLETION', N'IO_COMPLETION')
ORDER BY wait_time_ms DESC;";

/// One backup that says which buffers it used.
const BUFFERS: &str = "\
DBCC TRACEON (3213, 3605, -1);
BACKUP DATABASE [Sales] TO DISK = N'NUL'
WITH COPY_ONLY, COMPRESSION;
DBCC TRACEOFF (3213, 3605, -1);";

/// fio, reading and writing as a backup does. It writes to a file of its own.
const FIO: &str = "\
fio --name=read --rw=read --bs=1M --iodepth=8 --direct=1 --size=16G \\
    --runtime=60 --time_based --filename=/backup/bakcast.fio \\
    --ioengine=libaio --output-format=json --output=read.json
fio --name=write --rw=write --bs=1M --iodepth=8 --direct=1 --size=16G \\
    --runtime=60 --time_based --filename=/backup/bakcast.fio \\
    --ioengine=libaio --output-format=json --output=write.json";

/// diskspd, reading and writing as a backup does. It writes to a file of its own.
const DISKSPD: &str = "\
diskspd -c16G -b1M -o8 -t1 -d60 -W10 -si -Sh -w0 -L -Rxml E:\\bakcast.dat > read.xml
diskspd -c16G -b1M -o8 -t1 -d60 -W10 -si -Sh -w100 -L -Rxml E:\\bakcast.dat > write.xml";

/// Counters of a night, every second.
const COUNTERS: &str = "\
typeperf \"\\PhysicalDisk(*)\\Disk Read Bytes/sec\" \"\\PhysicalDisk(*)\\Disk Write Bytes/sec\" ^
         \"\\Processor(_Total)\\% Processor Time\" ^
         \"\\SQLServer:Backup Device(*)\\Device Throughput Bytes/sec\" ^
         \"\\SQLServer:Databases(*)\\Backup/Restore Throughput/sec\" ^
         -si 1 -sc 7200 -f CSV -o night.csv";

/// All of them, the most useful first.
pub const QUERIES: [Query; 8] = [
    Query {
        name: "command-log",
        purpose: "Ola Hallengren's log: exact times, verifications, whole statements. The best \
                  there is. Save the result as CSV",
        language: "T-SQL",
        text: COMMAND_LOG,
    },
    Query {
        name: "history",
        purpose: "the server's history: sizes, files, volumes; times in whole seconds. Save the \
                  result as CSV",
        language: "T-SQL",
        text: BACKUP_HISTORY,
    },
    Query {
        name: "error-log",
        purpose: "completion messages: times in milliseconds. Save the result as text or CSV",
        language: "T-SQL",
        text: ERROR_LOG,
    },
    Query {
        name: "buffers",
        purpose: "one backup to NUL with the buffers that it takes, in the error log; loads the \
                  source as a backup does",
        language: "T-SQL",
        text: BUFFERS,
    },
    Query {
        name: "waits",
        purpose: "waits since the start, to hold against what `bakcast explain` expects; not \
                  imported",
        language: "T-SQL",
        text: WAITS,
    },
    Query {
        name: "fio",
        purpose: "what the target can take and give, on Linux; a minute each, 16 GiB of room",
        language: "shell",
        text: FIO,
    },
    Query { name: "diskspd", purpose: "the same on Windows", language: "cmd", text: DISKSPD },
    Query {
        name: "counters",
        purpose: "what disks and processors do during the night, on Windows; on Linux \
                  `iostat -xyt -o JSON 1 7200 > night.json`",
        language: "cmd",
        text: COUNTERS,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_fits_a_screen() {
        for query in QUERIES {
            let lines = query.text.lines();
            assert!(lines.clone().count() <= 20, "{}", query.name);
            for line in lines {
                assert!(line.chars().count() <= 100, "{}: {line}", query.name);
            }
        }
    }
}

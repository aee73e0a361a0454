//! Queries that read the times of runs off a server.

/// Times and sizes of the last full backups, as the server's own history has them.
///
/// The history counts whole seconds, and holds neither the options of a statement nor a
/// verification; how many files there were it does know.
pub const BACKUP_HISTORY: &str = "\
SELECT TOP (50) s.database_name, s.backup_start_date,
       DATEDIFF(SECOND, s.backup_start_date, s.backup_finish_date)
           AS backup_seconds,
       s.compressed_backup_size AS written_bytes, s.backup_size,
       COUNT(*) AS files, MIN(f.physical_device_name) AS first_file
FROM msdb.dbo.backupset AS s
JOIN msdb.dbo.backupmediafamily AS f
  ON f.media_set_id = s.media_set_id AND f.mirror = 0
WHERE s.type = 'D'
GROUP BY s.backup_set_id, s.database_name, s.backup_start_date,
         s.backup_finish_date, s.compressed_backup_size, s.backup_size
ORDER BY s.backup_start_date DESC;";

/// What the history leaves out, and where it is to be had.
pub const BACKUP_HISTORY_REMARK: &str = "\
The history has whole seconds; the message at the end of a backup, \
`processed N pages in S seconds`, \
has milliseconds: take that one for short runs. A verification leaves no time in the history: take \
it from the log of the job (dbo.CommandLog has both) or from the clock of the client.";

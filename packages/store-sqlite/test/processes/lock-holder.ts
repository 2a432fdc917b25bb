import Database from 'better-sqlite3';

// A process that holds the lock of the writer of a file, from the moment at which it prints a line until its input ends.
const [filename = ''] = process.argv.slice(2);
const database = new Database(filename);
database.exec('BEGIN IMMEDIATE');
process.stdout.write('locked\n');
process.stdin.resume().on('end', () => {
  database.exec('ROLLBACK');
  database.close();
});

/** The flags of the server, for people. */
export const help = `Serves clinical records over HTTP, from a SQLite file or PostgreSQL.

Usage: npm start -- [flags]

  --host ADDRESS     the address to listen on; 0.0.0.0 is every address of this machine (default 127.0.0.1)
  --port PORT        the port to listen on; 0 is any free port (default 3000)
  --data FILE        the SQLite file, created if it does not exist (default clinical-records.db)
  --database URL     use PostgreSQL instead of a file: postgres://user@host:5432/database; PGPASSWORD has the password.
                     Of several hosts, db1:5432,db2:5432, it uses the one that is the primary
  --schema NAME      with --database: the schema of the records, created if it does not exist
                     (default clinical_records)
  --tenant NAME      with --database: the clinic among those that share the tables of the schema, which has no demo clinic
  --create-tenant    with --tenant: create it first, empty
  --replica URL      with --database: a standby that is read, too; it can be repeated
  --pool N           with --database: the most connections of each process, from 1 to 1000 (default 10)
  --unprepared       with --database: prepare no statements, behind a pooler such as PgBouncer before 1.21
  --query-timeout SECONDS
                     with --database: how long a query waits for a server that does not answer (default 15)
  --processes N      serve the records by N processes, from 1 to 64, and replace one that ends (default 1)
  --import PATH      first import the FHIR resources of a file or a folder: *.ndjson, Bundles or resources in *.json,
                     either with .gz
  --import-only      with --import: end after the import: with 5 if there are issues
  --import-updates WHICH
                     with --import: update the goals, orders and immunizations that the source has changed:
                     newer, by its meta.lastUpdated (default), all, or none
  --empty            create a new file or schema without the demo clinic
  --tokens FILE      the tokens of users: [{ "token", "subject", "scopes": ["user/*.read"], "patient"?, "expires"? }],
                     read again when the file changes; without it, a token for this run is created and printed
  --jwks URL         accept the tokens of an authorization server that has these keys
  --issuer NAME      with --jwks: the name of that server in tokens (iss)
  --audience NAME    with --jwks: the name of this server in tokens (aud)
  --base-path PATH   the path of the interface (default /fhir)
  --base-url URL     the URL of the interface for clients, if a proxy serves it: https://clinic.example/fhir
  --cors-origins URLS
                     let pages of these origins use the interface: such as http://localhost:8080, with commas between
                     them, or * for all
  --default-return RETURN
                     what the response to a write contains if the client does not say: representation, the resource,
                     for FHIR clients that throw on null; or minimal, which is null (default minimal,
                     and representation with --us-core)
  --organization ID  the organization that this clinic is, by its id in the data: each Provenance names it
                     (default: that of the demo clinic, if it is that, and otherwise none)
  --us-core          serve what US Core demands where the interface says otherwise: absolute links, no care teams without
                     participants in a search, a role for each participant, and --default-return representation;
                     for data other than the demo's, it needs --organization
  --log FORMAT       text, or json: each request and each error is one line of JSON (default text)
  --telemetry        record traces and metrics with OpenTelemetry, if node --import has registered its SDK
  --audit            record who saw which chart, in the same file or schema; GET /AuditEvent reads it with a token that
                     has user/AuditEvent.rs
  --mcp              let AI agents read charts and propose commands at /mcp, with the Model Context Protocol: a practitioner
                     commits them
  --corrections      let users move records to the right chart and merge two patients, with a token that has
                     user/Correction.cr; the demo clinic always does
  --drain SECONDS    after SIGTERM, report as not ready for so long, then refuse new connections (default 0)
  --backup FILE      copy the data of a file into a new file, while others may use it, and end
  --export FOLDER    write the current resources into a new folder, a file *.ndjson for each type, which --import takes
                     back, while others may use the data; and end
  --bulk-export FOLDER
                     serve $export with PostgreSQL, too, and keep its files in this folder, which no other server uses
  --groups FILE      serve Group/{id}/$export for the patients of groups: { "diabetes": ["7", "8"] }, read again for each
                     export
  --export-audit FILE
                     write the events of the audit into a new file, a line each, and end
  --copy-from FROM   copy the records of another file, or of a postgres:// URL, with their history into a new file or
                     schema, verify both, and end
  --copy-schema NAME with --copy-from URL: the schema of the records there (default clinical_records)
  --verify           check the data, change nothing, and end: with 3 if there are issues
  --verify-audit     check the audit, and end: with 3 if events were changed, removed or inserted
  --head HEAD        with one of these two: a head that it printed before, which must still be in the data
  --version          print the version of the packages, and end
  --help             show this, and end
`;

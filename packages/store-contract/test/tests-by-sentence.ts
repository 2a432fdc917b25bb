/**
 * The sentences of the port's documentation, and the tests of the contract for each of them. The sentences are those
 * of the docstrings in port.ts, store-error.ts, query.ts and index-entry.ts of the core.
 */
export const testsBySentence: Readonly<Record<string, readonly [string, ...string[]]>> = {
  // Records.
  'The name of a record, which is unique in a store.': [
    'a record is named by its type and its id together',
    'records are different if their types and ids are equal only when they are joined',
  ],
  'Versions of a record count 1, 2, 3 … without a gap.': [
    'versions of a record count 1, 2, 3 without a gap, refused commits in between or not',
  ],
  'Every character of a well-formed text is stored unchanged, and texts are equal only if all of their characters are.':
    [
      'JSON text is stored unchanged, with its spaces, its order and its numbers',
      'records are distinguished by every character of the code of a token',
      'read distinguishes records by every character of their types and ids',
      'a commit distinguishes records by every character of their types and ids',
      'two texts are distinguished if they are equal only when they are joined',
      'an empty text is distinguished from a missing one',
    ],
  "The code system, of at most 500 characters; '' for none.": [
    'records are distinguished by every character of the system of a token',
  ],
  'The code, of at most 500 characters.': [
    'records are distinguished by every character of the code of a token',
  ],
  'The patient whose chart the record belongs to; null if it belongs to none, such as a practitioner.': [
    'a patient condition finds the records in charts, and none without a chart',
    'a record that moves to another chart is found only there',
  ],
  'When the version was written, in milliseconds since 1970 in UTC.': [
    'the history shows every version, newest first, with its patient, author and time, and no text',
  ],
  'The author, as a text that the store does not interpret; null if nobody was named.': [
    'the history shows every version, newest first, with its patient, author and time, and no text',
  ],
  'The resource that is read and searched, as JSON text; null while there is none.': [
    'a record is not found while its resource is null, and then again at its old place',
  ],

  // Words.
  'The word, of 1 to 500 characters, without U+10FFFF.': [
    'words are compared by every character of their beginnings',
  ],
  'A word among its index entries that begins with a text.': [
    'a string condition finds the records that have a word with its beginning under its parameter',
    'a string condition finds all records that it holds for, however many words begin so',
  ],
  'Beginnings of words, compared character by character.': [
    'a string condition finds a record by any of its beginnings, and once',
    'several beginnings that must all hold may be of one word or of several',
    'words are compared by every character of their beginnings',
  ],

  // The time of a version.
  'The time of its current version, as an interval of a millisecond.': [
    'a search by the time of the current version finds what dateMatches finds with the prefix eq',
  ],

  // Erasing.
  'The new states of all versions before, oldest first: the commit replaces their states with these, and their resources with null.':
    ['after an erasure, no function returns the replaced texts'],
  'The change then expects an exact version.': [
    'an erasure that expects another version is a conflict, and erases nothing',
  ],
  'A commit whose changes have `priorStates` replaces the states of earlier versions.': [
    'after an erasure, no function returns the replaced texts',
    'a commit can erase a thousand records, and write another one',
  ],
  'Afterwards, no function returns the replaced texts, and no search finds a record by them.': [
    'after an erasure, no function returns the replaced texts',
    'after an erasure, a search finds another record by the same index entries, and not the erased one',
  ],
  'The earlier versions keep everything else, their digests, too.': [
    'an erased version keeps its number, patient, time, author, position and digest',
  ],

  // Reindexing.
  'New index entries of a current version, in place of the present ones.': [
    'a reindexed record is found by its new index entries, and no longer by those before',
    'a reindexed record is still found by the index entries that it keeps, and by repeated ones once',
  ],
  'A change of index entries, after which nothing else is different: neither a version nor the feed.': [
    'reindexing changes neither versions nor the feed',
  ],
  'They keep their versions.': ['reindexing changes neither versions nor the feed'],
  'If given, the texts that parameters get.': [
    'a parameter has the text of the last reindexing that named it, and none at first',
  ],
  'Those of the others stay.': [
    'a parameter has the text of the last reindexing that named it, and none at first',
  ],
  'A store does not interpret them.': [
    'a parameter has the text of the last reindexing that named it, and none at first',
  ],
  'Names and texts are ASCII, and a store keeps a thousand.': ['a thousand parameters have texts'],
  'A commit with a `reindexing` replaces the index entries of its records, and the texts of its parameters, or conflicts.':
    [
      'a reindexed record is found by its new index entries, and no longer by those before',
      'records and parameters are changed together',
      'reindexing a record with another version than expected is a conflict, and nothing is written',
      'a thousand records can be reindexed at once',
    ],
  'A record without a resource keeps none.': ['a record without a resource keeps no index entries'],
  'The texts that commits with a `reindexing` have given to parameters; none at first.': [
    'a parameter has the text of the last reindexing that named it, and none at first',
  ],

  // Calls.
  'A function begins when it is called.': ['every function returns a promise, which has begun'],
  'Only `close` rejects, and `commitAll` if the host fails: every other error is a `StoreError`, and returned.':
    ['no function but close throws or rejects, not even after close'],

  // commitAll
  'Writes several commits in one transaction of the database, then calls the writes of the host in it, one after the other.':
    [
      'several commits are written one after the other, each on the versions of those before it',
      'a write of the host that fails undoes everything, or the store refuses such writes',
    ],
  'All of it is written, or nothing.': [
    'nothing of several commits is written if one of them is refused, and the conflict names its record',
  ],
  'Each commit is compared with the records after those before it, and its changes are together in the feed.':
    [
      'several commits are written one after the other, each on the versions of those before it',
      'nothing of several commits is written if one of them is refused, and the conflict names its record',
    ],
  'Returns what each commit would return.': [
    'several commits are written one after the other, each on the versions of those before it',
  ],
  'If a write of the host throws or rejects, nothing is written, and the function rejects with the same reason.':
    ['a write of the host that fails undoes everything, or the store refuses such writes'],
  'A store without a connection refuses writes of the host as a `Misuse`.': [
    'a write of the host that fails undoes everything, or the store refuses such writes',
  ],

  'Each result shows the store at one moment, shows all of a commit or nothing of it, and does not change after it is returned.':
    [
      'a page and its total are of one moment, whatever is committed meanwhile',
      'records in a scan and their index entries are of one moment, whatever is committed meanwhile',
      'versions in a history are of one moment, whatever is committed meanwhile',
      'the feed shows all of a commit or nothing of it, whatever is committed meanwhile',
      'a record is read as some commit has written it, never as a refused commit would have',
      'a result does not change, whatever is committed afterwards',
    ],

  // read
  'The current version of one record, or null.': [
    'a change that expects Any becomes version 3 of a record at its second version',
    'a record that is absent is read as null',
  ],

  // readResource
  'The resource of the current version of one record, or null if there is none.': [
    'readResource returns the current resource with its patient, version and time, and no more',
    'readResource returns null for a record that is absent, or has no resource at the moment',
  ],
  'The part of a record that readers get if it has a resource.': [
    'readResource returns the current resource with its patient, version and time, and no more',
  ],
  'It does not include the state.': [
    'readResource returns the current resource with its patient, version and time, and no more',
  ],

  // search
  'One page of the records that have a resource and that `matches(query)`, oldest record first, and their number.':
    [
      'only records with a resource are found',
      'a search of all records returns records in the order of creation',
      'a store returns the same as a plain list of versions, in any sequence of commits and reads',
    ],
  'A record keeps its place in that order in all of its versions.': [
    'a record keeps its place in all of its versions',
  ],
  'A record that is created later comes after all records that have been returned.': [
    'a reader of pages that continues while others write misses nothing and gets nothing twice',
    'a reader of a scan that continues while others write misses nothing and gets nothing twice',
  ],
  'A condition can have a thousand criteria.': [
    'a condition can have a thousand criteria',
    'a record is found once, however often a condition repeats its id',
  ],
  'A record that a search found: its id, and its current version with the resource.': [
    'a match has the id, the current version, its time and its resource, and no more',
  ],
  'Whether more matches follow the page.': [
    'a page of all records can be any range of that order, and its total counts all matches',
    'a page of all records ends before the match that would exceed its bytes, and reports that more follow',
  ],
  'The number of all matches, on this page or not; null if it was not asked for.': [
    'a page of all records can be any range of that order, and its total counts all matches',
    'an empty page has the total',
    'a total that is not requested is null, and the page is the same',
  ],
  'Whether to count all matches, which can cost more than the page.': [
    'a total that is not requested is null, and the page is the same',
  ],
  'Where a page begins among the matches, in the order in which their records were created.': [
    'a page of all records can be any range of that order, and its total counts all matches',
    'a page begins after the record with an id, whether that record matches or not',
  ],
  'The number of matches before the page.': [
    'a page of all records can be any range of that order, and its total counts all matches',
  ],
  'The id of the record after which the page begins, whether that record matches or not.': [
    'a page begins after the record with an id, whether that record matches or not',
  ],
  'Nothing comes after a record that does not exist.': [
    'nothing comes after a record that does not exist, and the total counts all matches',
  ],
  'The most matches of the page.': [
    'a page of all records can be any range of that order, and its total counts all matches',
  ],
  'A page ends when it has `count` matches, or before the match that would make it larger than `maxBytes`.': [
    'a page of all records ends before the match that would exceed its bytes, and reports that more follow',
    'an empty page has the total',
  ],
  'If there is a match, the page has at least one, unless `count` is 0.': [
    'a page of all records ends before the match that would exceed its bytes, and reports that more follow',
    'an empty page has the total',
  ],
  'The most bytes of all resources of the page in UTF-8, unless its first resource has more; no limit if left out.':
    ['a page of all records ends before the match that would exceed its bytes, and reports that more follow'],
  'The most steps that the search may take; no limit if left out.': [
    'a search that needs more steps than it may take is TooCostly, or returns everything',
  ],
  'A search needs more steps than it may take.': [
    'a search that needs more steps than it may take is TooCostly, or returns everything',
  ],
  'A step is a record that is looked at, or a condition that is compared with one.': [
    'a search for one record, or in the small chart of one patient, takes fewer than a hundred steps',
  ],
  'A store in which searches block others refuses a search that needs more.': [
    'a search that needs more steps than it may take is TooCostly, or returns everything',
  ],
  'Other stores may ignore the limit.': [
    'a search that needs more steps than it may take is TooCostly, or returns everything',
  ],
  'A search for the records of one type for which all conditions hold, and the page to return.': [
    'only records of one type are found, whatever entries other records have',
    'a found record meets all conditions, each by an entry of its own or by the same entry',
  ],
  'A list of criteria holds for a record if one of them does.': [
    'a token condition finds a record by any of its criteria, and once',
    'a date condition finds a record by any of its criteria, and once',
    'the date prefix eq finds what any of several times finds, for every relation of the times',
  ],
  'An empty list holds for no record.': ['a condition without criteria holds for no record'],
  'An index entry, whatever its value.': [
    'an entry condition finds the records that have an entry of its kind under its parameter',
  ],
  'It holds for a record if the other condition does not.': [
    'a condition that must not hold, of a token, finds all other records of the type',
    'a condition that must not hold finds the many other records, page by page',
  ],
  'A condition that must hold for a record, or one that must not.': [
    'conditions that must hold and others that must not, even on one parameter, are all met',
  ],
  "The code system; '' for a token without one, and null for any.": [
    'a token condition of a code without a system finds the records that have it',
    'a token condition of a code of any system finds the records that have it',
  ],
  'The code; null for any.': ['a token condition of any code of a system finds the records that have it'],
  'A reference to search for, by both its type and its id.': [
    'a reference condition finds the records that refer to its id and type by its parameter',
  ],
  '`dateMatches` defines the meaning of each prefix.': [
    'the date prefix eq finds what dateMatches finds, for every relation of two intervals',
  ],
  'An interval from its first millisecond to the first one after it, both since 1970 in UTC.': [
    'the date prefix ap finds what dateMatches finds, for every relation of two intervals',
    'dates before 1970 and in the far future are compared like others',
  ],
  'It never ends before it begins.': [
    'the date prefix ap finds what dateMatches finds, for every relation of two intervals',
    'dates before 1970 and in the far future are compared like others',
  ],

  // commit
  'The index entries by which searches find the record from now on, instead of those of the version before.':
    ['a new version is found by its own index entries, and no longer by those of the version before'],
  'A repeated entry counts once.': ['a repeated index entry counts once'],
  'A record that a decision has read and that must not have changed since.': [
    'a failed version check writes nothing and is named in the conflict',
  ],
  'The commit does not write it.': ['a version check writes nothing'],
  'Writes all of the changes, or none.': [
    'a commit writes nothing if its first change is refused',
    'a commit writes nothing if its last change is refused',
    'none of a thousand changes is written if the last of a thousand version checks fails',
  ],
  'Once it returns, they are durable, and every function shows what was written.': [
    'once a commit returns, every function shows what was written',
    'each of many simultaneous writers finds its record by every function once its commit returns',
  ],
  'A commit can have a thousand changes and a thousand version checks, and a change a thousand index entries.':
    [
      'a commit can have a thousand changes and a thousand version checks',
      'a change can have a thousand index entries',
    ],
  'The expected versions of changes and version checks are compared with the records before the commit, as part of the write.':
    [
      'of several commits that expect the same version exactly one succeeds',
      'of several commits that expect that a record is absent exactly one succeeds',
      'of two commits that check that a record is absent, and that each change this record, exactly one succeeds',
      'of two commits that check that a record is at its first version, and that each change this record, exactly one succeeds',
      'a version check on a record that the commit changes is compared with the version before',
      'a version that no record has is a conflict, of a change and of a version check',
    ],
  'Of several commits that expect the same version, exactly one succeeds.': [
    'of several commits that expect the same version exactly one succeeds',
    'of several commits that expect that a record is absent exactly one succeeds',
    'of two commits that check that a record is absent, and that each change this record, exactly one succeeds',
    'of two commits that check that a record is at its first version, and that each change this record, exactly one succeeds',
    'a version check on a record that the commit changes is compared with the version before',
  ],
  'The `Conflict` names the first record that did not have the expected version, of the changes and then of the version checks.':
    ['a conflict names the first record with another version, of the changes and then of the version checks'],
  'The version that the record has; null if there is no record.': [
    'commits that expected the same version and lost get the actual version, and write nothing',
    'a version check on a record that is absent fails',
  ],
  'A commit that conflicts does not affect others that run at the same time.': [
    'a commit that conflicts does not affect others that run at the same time',
  ],
  'Two commits that name the same records in opposite orders both succeed, if their expectations hold.': [
    'two commits that name the same records in opposite orders both succeed',
  ],
  'A commit that names a record twice among its changes is `Unavailable`.': [
    'a commit that names a record twice among its changes is Unavailable, and writes nothing',
  ],
  'The new versions are returned in the order of the changes.': [
    'a commit writes all of its changes, and returns their versions in the order of the changes',
  ],
  'The written records do not change if parts of the commit are modified afterwards.': [
    'written records do not change if parts of the commit are modified afterwards',
  ],
  '`Unavailable` means that nothing of the commit is or will be written, and that it can be tried again.': [
    'a commit that names a record twice among its changes is Unavailable, and writes nothing',
  ],

  // history
  'At most `limit` versions of one record, newest first and without a gap; empty if there are none.': [
    'the history shows every version, newest first, with its patient, author and time, and no text',
    'the history of a record that does not exist is empty',
    'the history has the versions of only one record',
    'a part of a history has at most the limit, and begins below a version or with the current one',
  ],
  'The history begins below this version, or with the current version if it is left out.': [
    'a part of a history has at most the limit, and begins below a version or with the current one',
  ],
  'The largest number of versions.': [
    'a part of a history has at most the limit, and begins below a version or with the current one',
  ],
  'It includes neither the state nor the resource.': [
    'the history shows every version, newest first, with its patient, author and time, and no text',
  ],
  'The bytes of the resource in UTF-8, or more, but at most twice as many; null if there is no resource.': [
    'a history says how many bytes a resource has, or up to twice as many, and null if there is none',
  ],

  // readVersion
  'One version of a record, the current one or an earlier one, or null if there is no such version.': [
    'each version of a record can be read by its number, the current one and all before',
    'versions that are read at the same moment are each the one that was asked for',
    'a version that a record does not have is read as null',
  ],

  // feedEnd
  'The place of the last version in the feed; null if the feed is empty.': [
    'the end of the feed is the position and the digest of its last version',
    'the feed of an empty store is empty, and has no end',
  ],
  'Every version that is committed later comes after it.': [
    'the end of the feed is that of a whole commit, and every later version comes after it',
  ],

  // changesSince
  'At most `limit` versions that were committed after the one at `position`, in the order of their commits.':
    [
      'the feed shows every version of every record in the order of their commits',
      'the feed continues after any position, and returns at most the limit',
    ],
  'The place of the version in the feed, which never changes and no other version has.': [
    'each version has a position of its own, a text that never changes',
  ],
  'The place of the record in the scan, which never changes and no other record has.': [
    'each record has a position of its own, which never changes',
  ],
  'The place of an entry in the feed or in the scan of a store, as a text that JSON can carry.': [
    'each version has a position of its own, a text that never changes',
    'each record has a position of its own, which never changes',
  ],
  'The changes of one commit are together, in their order.': [
    'the changes of one commit are together, in their order',
  ],
  'An entry that has been returned never changes, unless it is erased, and no entry appears before it later.':
    [
      'an entry that was returned never changes, and no entry appears before it later',
      'a reader of the feed that continues while others write misses nothing and gets nothing twice',
    ],
  'The result of `computeDigest` for the version and the digest before it in the feed.': [
    'each version has the digest of itself and of the one before it in the feed',
    'a version that is written as erased has the digest of its former content',
  ],
  'With `bytes`, the range ends with the entry at which all states and resources together reach so many characters.':
    [
      'a page of the feed ends with the version that reaches its bytes, and has at least one',
      'a page of a scan ends with the record that reaches its bytes, and has at least one',
    ],
  'The range begins after the entry at this position, or with the first entry if it is left out.': [
    'the feed continues after any position, and returns at most the limit',
    'a scan continues after any position, and returns at most the limit',
  ],
  'If no entry has the position, the result is `UnknownPosition`.': [
    'a feed cannot begin at a position that none of its versions has',
    'a scan cannot begin at a position that none of its records has',
  ],
  'The feed or the scan has no entry at the position after which it was to begin.': [
    'a feed cannot begin at a position that none of its versions has',
    'a scan cannot begin at a position that none of its records has',
  ],
  'With `digest`, the result is also `UnknownPosition` if the version at `position` has another digest.': [
    'a feed cannot begin at a version that has another digest',
  ],
  'So a position in the feed of another store, or one that a restored copy has lost, is not mistaken for one in this feed.':
    ['a feed cannot begin at a version that has another digest'],
  'The largest number of entries.': [
    'the feed continues after any position, and returns at most the limit',
    'a scan continues after any position, and returns at most the limit',
  ],

  // scan
  'At most `limit` current records, with a resource or without, that were created after the one at `position`, in the order of their creation.':
    [
      'a scan shows the current version of every record, with a resource or without, in the order of creation',
      'a scan continues after any position, and returns at most the limit',
    ],
  'Each record has its index entries, without repeats and in any order.': [
    'a scan shows the index entries of a record, without repeats',
  ],
  'Empty while the record has no resource.': [
    'a scan shows only the index entries of the current version, and none without a resource',
  ],

  // close
  'Finishes what was begun and releases what the store itself opened.': ['close finishes what was begun'],
  'Afterwards every function is `Closed`.': [
    'after close everything is Closed',
    'a second close rejects with a StoreFailure',
  ],
  'A search that would take long may be cancelled and is then `Closed`, too.': [
    'after close everything is Closed',
  ],
  'If there is one, it returns what `search` does, with the matches in another order: by time, then those without a time, and where two are equal in the order of creation.':
    [
      'matches of a chart, the latest first: those without a time come last, and ties as created',
      'matches of a chart, the earliest first: those without a time come last, and ties as created',
      'a page of a chart, the latest first can be any range, and can begin after any match',
    ],
  'The order of records by a time, the earliest first or the latest first.': [
    'matches of a chart, the latest first: those without a time come last, and ties as created',
    'matches of a chart, the earliest first: those without a time come last, and ties as created',
  ],
  '`timeOf` defines the time of a record.': [
    'matches of a chart, the latest first: those without a time come last, and ties as created',
  ],
  'The time of its current version.': [
    'matches of a chart, the newest version first: those without a time come last, and ties as created',
  ],
  'A search in the charts of patients, whose matches are ordered by a time.': [
    'matches of charts, the latest first: those without a time come last, and ties as created',
  ],
  'Where the page begins among the ordered matches.': [
    'a page of a chart, the latest first can be any range, and can begin after any match',
  ],
  'The id of the record after whose place in the order of creation the page begins, if the times are equal.':
    ['a page of a chart, the latest first can be any range, and can begin after any match'],
  'The time after which the page begins.': [
    'a page of a chart, the latest first can be any range, and can begin after any match',
  ],
  'No record of the type has several times under the parameter: so one time meets all conditions on it.': [
    'the only time of a record meets two conditions, with the prefixes ge and lt',
    'two entries of one record can meet two date conditions, but a criterion needs one entry that meets it',
  ],
};

/** Sentences that ask of a store what shows only when its database fails: its own tests see to them. */
export const untestableSentences: ReadonlySet<string> = new Set([
  'The replaced texts are also deleted from the database, and so are index entries that no record has any more.',
  'It is as fast as a read of one record, however long the feed is.',
  'It costs as much as these versions, however many the record has and however long their texts are.',
  'Too many costly searches are running, so the store does not begin another one.',
  'The host uses the store in a way that cannot work, such as after the end of a transaction.',
  'It contains nothing of a chart.',
  "A store that loses its database's response finds out what happened to the commit before it returns.",
  'If it cannot, it returns `OutcomeUnknown`: all of the commit may be written, now or after a crash, or nothing.',
  'No other function returns `OutcomeUnknown`.',
  'Rejects with a `ClinicalRecordsError` if something cannot be released.',
  'Only for a store on whose database the host can have a synchronous transaction open: inside of one it is `Unavailable`.',
  'Null if no transaction is open.',
  'It is called when a function that may write is called.',
  'If there is one, writes that the callback of `records.transaction` makes without its `tx` are refused.',
  'Keeps a value for all calls that a function makes, directly or after it has awaited something.',
  'An `AsyncLocalStorage` of `node:async_hooks` is one.',
  'Calls the function with the value.',
  'The value of the function that makes this call, or undefined.',
  'Is called with each call of the records in the transaction when it begins, and its name, such as `goals.read`.',
  'A call that still runs when the host ends the transaction rolls it back, and one that rejects is not unhandled.',
  'The store as a part of the transaction: its writes are rolled back with the transaction.',
  'Its feed may lack them until the transaction is over.',
  'Then every function is a `Misuse`.',
  'Throws for a store that is not on the same database.',
  // The connection of a transaction is for the host, in the SQL of its database.
  'Runs a query in the transaction, with its values: texts or null.',
  'Its placeholders are those of the database:',
  '`$1`, `$2` and so on, once each and in this order, on PostgreSQL, and `?` on SQLite.',
  'The rows are as the driver or the tool returns them.',
  'Rejects with its error, or if the transaction is known to be over.',
]);

/** Sentences that say what a name stands for, and ask nothing of a store by themselves. */
export const explanations: ReadonlySet<string> = new Set([
  'A condition is on patients.',
  'It costs less than to read all matches page by page, as is done in its place on a store without it.',
  'The calls of a transaction that have begun.',
  'Throws an Error that names the calls that still run.',
  'Keeps the calls in a transaction, for the end of its callback.',
  'The outcome of a function of a store.',
  'Only for an erasure.',
  'The index entries.',
  'The records that get other index entries, each once.',
  'A commit that has this has neither changes nor version checks.',
  'Whether two lists have the same index entries, in any order and however often.',
  'Texts that say how all records are indexed by search parameters, by the names of the parameters.',
  'The name of a version of a record.',
  'A version in a history: who wrote it and when, but not what.',
  'A part of the history of a record.',
  'One version of a record.',
  'The state that the rules decide on, as JSON text.',
  'A new version of a record, and what it expects of the version before.',
  'Changes and version checks that are applied together, or not at all.',
  'The result of a search.',
  'A version in the feed.',
  'A part of the feed or of a scan.',
  'A part of the feed.',
  'The end of the feed.',
  'Only the store knows its meaning and its order.',
  'Everything that can go wrong in a store.',
  'The host uses the store in a way that cannot work, such as after the end of a transaction.',
  'The fault, and the remedy.',
  'It contains nothing of a chart.',
  'Statements of the host in a transaction of the database, on the connection of the transaction.',
  '`Connection` is that of its database, for statements of the host.',
  'None has `priorStates` or a `reindexing`.',
  'A word of a text, in the form in which words are compared.',
  'None is empty.',
  'A transaction of the host on the database of a store, such as `inTransaction` of `@clinical-records/store-sqlite` begins.',
  'The connection of a transaction of the host: one shape for each driver, tool and database.',
  '`transaction` is what the host has passed to `inTransaction`, `fromKysely` and the like.',
  '`resolve` gets it as its last argument.',
  'The record that did not have the expected version.',
  'Keeps records in versions, finds them by index entries, and writes them only if they have the expected versions.',
  'It does not depend on any rule or resource.',
  'A value by which a search finds a record, in addition to its id and its patient.',
  'An index entry as a text.',
  'Entries with the same values have the same text, whatever the order of their properties.',
  "The prefixes of FHIR's date parameters.",
  'How the time of a record must relate to the time searched for.',
  'A time to search for.',
  'Only for the compiler.',
  'The type of the record, such as `Goal`.',
  'The id, which no other record of the type has.',
  'Counts from 1.',
  'The resource as JSON text.',
  'The version that the record must have before the commit.',
  'The new versions, of one record each.',
  'The records that must not have changed, and are not written.',
  'The id of the record.',
  'The matches of the page, oldest record first.',
  'The current version of a record, and its index entries.',
  'A record did not have the expected version.',
  'Other work holds a lock for longer than the store waits for it.',
  'Nothing was written.',
  'The store can be read, but not written, because its database is read-only or has no space left.',
  'The store is closed, or its host has closed the database.',
  'The store cannot do its work, and has written nothing.',
  'The reason, for a log.',
  'The search parameters, for a log.',
  'The records are not indexed as a search needs them.',
  'No store returns it, but the library.',
  'The fault, and the remedy.',
  'The error of the database, if there is one.',
  'It is not known whether a commit was written.',
  'A code that a token parameter searches for, in one system or in any.',
  'The type of the resource that the reference is to.',
  'How the time of a record must relate to the interval.',
  'The patient of the record.',
  'Ids of patients.',
  'A token among its index entries.',
  'The `parameter` of the index entry.',
  'A reference among its index entries.',
  'A time among its index entries.',
  '`joinTimes` uses it.',
  'A condition on what a record has.',
  'The `kind` of the index entry.',
  'The conditions, all of which must hold.',
  'Where the page begins.',
  'The first millisecond.',
  'The first millisecond after it.',
  'A code of a code system.',
  'The search parameter that finds it.',
  'A reference to a resource.',
]);

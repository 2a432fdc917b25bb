/**
 * What the port says of a store, sentence by sentence, and the tests of the contract that hold a store to it.
 * The sentences are those of the docstrings in port.ts and query.ts of the core.
 */
export const testsBySentence: Readonly<Record<string, readonly [string, ...string[]]>> = {
  // Records.
  'The name of a record: unique in a store.': [
    'a record is named by its type and its id together',
    'records are two whose types and ids are the same only when they are joined',
  ],
  'Versions of a record count 1, 2, 3 … without a gap.': [
    'versions of a record count 1, 2, 3 without a gap, refused commits in between or not',
  ],
  'Well-formed texts come back character by character as they were written, and are told apart by every character.':
    [
      'JSON text comes back character by character, with its spaces, its order and its numbers',
      'records are told apart by every character of the code of a token',
      'records are told apart by every character of their types and ids when they are read',
      'two texts are told apart that are the same only when they are joined',
      'a text that is empty is told apart from none',
    ],
  'The patient whose chart it belongs to; null for what belongs to none, a practitioner say.': [
    'a patient condition finds the records in charts, and none that is in no chart',
    'a record that moves to another chart is found in that one alone',
  ],
  'When it was written, in milliseconds since 1970 in UTC.': [
    'history tells every version, newest first, with its who, when, state and resource',
  ],
  'Who wrote it, where that is known.': [
    'history tells every version, newest first, with its who, when, state and resource',
  ],
  'What is read and found, as JSON text; null while there is nothing to be read.': [
    'a record whose resource becomes null leaves the search, and comes back at its old place',
  ],

  // Tasks.
  'No function throws or rejects: what goes wrong is a `StoreError`.': [
    'no function throws or rejects, not even after close',
  ],
  'A task does nothing before it is run, and may be run more than once.': [
    'a task does nothing before it is run',
    'every task may be run more than once',
  ],

  'Each answer is of one moment, tells all of a commit or nothing of it, and stays as it was once it is given.':
    [
      'a page and its total are of one moment, whatever is committed meanwhile',
      'records in a scan and their index entries are of one moment, whatever is committed meanwhile',
      'versions in a history are of one moment, whatever is committed meanwhile',
      'the feed tells all of a commit or nothing of it, whatever is committed meanwhile',
      'a record is read as some commit has left it, and nothing is of a commit that is refused',
      'what was answered stays as it was, whatever is committed afterwards',
    ],

  // read
  'The current version of one record, or null.': [
    'a change that expects Any becomes version 3 of a record at its second version',
    'a record that is absent is read as null',
  ],

  // readResource
  'What is to be read of one record as it stands, or null where there is nothing.': [
    'a resource is read as it stands, with its patient, version and time, and no more',
    'there is no resource to be read of a record that is absent, or has none at the moment',
  ],
  'What readers are told of a record that has a resource; of what rules decide on, nothing.': [
    'a resource is read as it stands, with its patient, version and time, and no more',
  ],

  // search
  'One page of the records that have a resource and that `matches(query)`, oldest record first, and how many there are.':
    [
      'only records with a resource are found',
      'a search of all records answers in the order of creation',
      'a store answers what a plain list of versions answers, whatever is done to it',
    ],
  'A record keeps its place in that order, whatever versions it goes through.': [
    'a record keeps its place, whatever versions it goes through',
  ],
  'A record that is created later stands behind all that have been answered.': [
    'a reader of pages who follows while others write misses nothing and sees nothing twice',
    'a reader of a scan who follows while others write misses nothing and sees nothing twice',
  ],
  'A condition can have a thousand criteria.': ['a condition can have a thousand criteria'],
  'A record in a search.': ['a match tells the id and the resource of its record as it stands, and no more'],
  'Whether more matches follow those of the page.': [
    'a page of all records is any stretch of that order, and its total all that match',
    'a page of all records ends before the match with which it had more bytes than it may, and more follow',
  ],
  'How many records match in all, on this page or not; null where that was not asked for.': [
    'a page of all records is any stretch of that order, and its total all that match',
    'a page of none has the total',
    'a total that is not asked for is null, and the page is the same',
  ],
  'Whether the page says how many match in all: to find that out can cost more than the page.': [
    'a total that is not asked for is null, and the page is the same',
  ],
  'Where a page begins among the matches, which stand in the order in which their records were created: past a number of them, or past the record of an id, whether that is a match or not.':
    [
      'a page of all records is any stretch of that order, and its total all that match',
      'a page begins past the record of an id, whether that is a match or not',
    ],
  'Nothing comes after a record that is not there.': [
    'nothing comes after a record that is not there, and the total is all that match',
  ],
  'The most matches of the page.': [
    'a page of all records is any stretch of that order, and its total all that match',
  ],
  'A page ends where it has `count` matches, or before the match with which it had more than `maxBytes`; if there is a match, it has one at least, unless `count` is 0.':
    [
      'a page of all records ends before the match with which it had more bytes than it may, and more follow',
      'a page of none has the total',
    ],
  'The most bytes that the resources of the page have together, in UTF-8, unless its first has more; no limit if left out.':
    ['a page of all records ends before the match with which it had more bytes than it may, and more follow'],
  'The most steps that the search may take; no limit if left out.': [
    'a search that takes more steps than it may is TooCostly, or answered in full',
  ],
  'A search takes more steps than it may.': [
    'a search that takes more steps than it may is TooCostly, or answered in full',
  ],
  'A step is a record that is looked at, or a condition that is compared with one.': [
    'a search for one record, or in the small chart of one patient, takes less than a hundred steps',
  ],
  'A store in which searches keep others waiting refuses what takes more; another may ignore it.': [
    'a search that takes more steps than it may is TooCostly, or answered in full',
  ],
  'The records of one type of which all conditions hold, and which page of them.': [
    'records of one type are found, whatever entries those of others have',
    'all conditions hold of what is found, each by an entry of its own or by the same',
  ],
  'Holds of a record if one of its criteria does.': [
    'a token condition finds a record by any of its criteria, and once',
    'a date condition finds a record by any of its criteria, and once',
    'the date prefix eq finds what any of several times finds, however they lie',
  ],
  'A condition without criteria holds of none.': ['a condition without criteria holds of none'],
  'A token as searched for: a `system` of \'\' means "without a system", one of null any; a `code` of null any.':
    [
      'a token condition of a code without a system finds what has it',
      'a token condition of a code of any system finds what has it',
      'a token condition of any code of a system finds what has it',
    ],
  'A reference as searched for: both its type and its id.': [
    'a reference condition finds what refers to this id of this type by this parameter',
  ],
  'What each prefix means is said by `dateMatches`.': [
    'the date prefix eq means what it means to the core, however two intervals lie',
  ],
  'A stretch of time, from its first millisecond to the first one after it, both counted from 1970 in UTC; it never ends before it begins.':
    [
      'the date prefix ap means what it means to the core, however two intervals lie',
      'dates before 1970 and in the far future are compared like others',
    ],

  // commit
  'What the record is found by from now on, and no longer by what the version before had.': [
    'a new version is found by its own index entries, and by no longer those of the one before',
  ],
  'An entry said twice is as good as once.': ['an index entry said twice is as good as once'],
  'A record that was read to decide, and must not have moved on.': [
    'a premise that fails writes nothing and is named in the conflict',
  ],
  'It is not written.': ['a premise is not written'],
  'Writes all of the changes, or none.': [
    'nothing of a commit is there whose first change is refused',
    'nothing of a commit is there whose last change is refused',
    'nothing of a thousand changes is there where the last of a thousand premises fails',
  ],
  'Once it answers, they are durable, and every function tells what was written.': [
    'once a commit answers, every function tells what was written',
    'each of many who write at the same time finds what it wrote once it is answered, by every function',
  ],
  'A commit can have a thousand changes and a thousand premises, and a change a thousand index entries.': [
    'a commit can have a thousand changes and a thousand premises',
    'a change can have a thousand index entries',
  ],
  'The expectations of changes and premises are checked against what is there before the commit, as part of the write: of several commits that expect the same version exactly one succeeds.':
    [
      'of several commits that expect the same version exactly one succeeds',
      'of several commits that expect that a record is absent exactly one succeeds',
      'of two commits with the premise that a record is absent, which each of them breaks, exactly one succeeds',
      'of two commits with the premise that a record is at its first version, which each of them breaks, exactly one succeeds',
      'a premise about a record that the commit changes is held to the version before it',
    ],
  'The first that was not as expected, of the changes and then of the premises, is named in the `Conflict`.':
    ['the first that was not as expected is named, of the changes and then of the premises'],
  'The version at which it stands; null where there is none.': [
    'those that expected the same version and lost are told the actual version, and leave nothing',
    'a premise on a version of a record that is absent fails',
  ],
  'One commit that conflicts harms none that runs at the same time.': [
    'one commit that conflicts harms none that runs at the same time',
  ],
  'Two that name the same records in opposite orders both land, if what they expect holds.': [
    'two commits that name the same records in opposite orders both land',
  ],
  'A commit that names a record twice among its changes is `Unavailable`.': [
    'a commit that names a record twice among its changes is Unavailable, and nothing of it is there',
  ],
  'The new versions are answered in the order of the changes.': [
    'all changes of a commit land, and their versions are answered in the order of the changes',
  ],
  'What was written stays as it was, whatever becomes of the parts of the commit once it is answered.': [
    'what was written stays as it was, whatever becomes of the parts of the commit afterwards',
  ],
  '`Unavailable` says that nothing of the commit is written, nor will be, and that it can be tried again.': [
    'a commit that names a record twice among its changes is Unavailable, and nothing of it is there',
  ],

  // history
  'Every version of one record, newest first; empty where there is no such record.': [
    'history tells every version, newest first, with its who, when, state and resource',
    'history is empty where there is no such record',
  ],

  // changesSince
  'At most `limit` versions that were committed after the one at `position`, in the order of their commits.':
    [
      'the feed tells every version of every record in the order of their commits',
      'the feed goes on after any position, and answers at most the limit',
    ],
  'It has a `position` of its own, which it keeps for good.': [
    'each version has a position of its own, a text that it keeps',
  ],
  'It has a `position` of its own in the scan, which it keeps for good.': [
    'each record has a position of its own, which it keeps',
  ],
  'The place of an entry in the feed or in the scan of a store, as a text that JSON can carry.': [
    'each version has a position of its own, a text that it keeps',
    'each record has a position of its own, which it keeps',
  ],
  'Changes of one commit stand together, in their order.': [
    'changes of one commit stand together, in their order',
  ],
  'An entry that has been answered never changes, and none appears before it later.': [
    'an entry that has been answered never changes, and none appears before it later',
    'a reader of the feed who follows while others write misses nothing and sees nothing twice',
  ],
  '`digest` is what `computeDigest` makes of the version and of the digest before it in the feed.': [
    'each version has the digest of itself and of the one before it in the feed',
  ],
  'With `bytes`, it ends with the entry by which states and resources together have as many characters.': [
    'a page of the feed ends with the version that reaches its bytes, and has one at least',
    'a page of a scan ends with the record that reaches its bytes, and has one at least',
  ],
  'It begins after the entry that has this position; with the first, if it is left out.': [
    'the feed goes on after any position, and answers at most the limit',
    'a scan goes on after any position, and answers at most the limit',
  ],
  'Where no entry has it, the answer is `UnknownPosition`.': [
    'a feed cannot begin at a position that none of its versions has',
    'a scan cannot begin at a position that none of its records has',
  ],
  'The feed or the scan has no entry at the position after which it is to begin.': [
    'a feed cannot begin at a position that none of its versions has',
    'a scan cannot begin at a position that none of its records has',
  ],
  'With `digest`, the answer is `UnknownPosition`, too, where the version at `position` has another digest.':
    ['a feed cannot begin at a version that has another digest'],
  'So a place in the feed of another store, or in one that a restored copy has lost, is not taken for one in this feed.':
    ['a feed cannot begin at a version that has another digest'],
  'The largest number of entries.': [
    'the feed goes on after any position, and answers at most the limit',
    'a scan goes on after any position, and answers at most the limit',
  ],

  // scan
  'At most `limit` records as they stand, with a resource or without, that were created after the one at `position`, in the order of their creation.':
    [
      'a scan tells every record as it stands, with a resource or without, in the order of their creation',
      'a scan goes on after any position, and answers at most the limit',
    ],
  'Each comes with its index entries, every one once, in any order.': [
    'a scan tells the index entries of a record, every one once',
  ],
  'A record as it stands, and what it is found by: nothing, while it has no resource.': [
    'a scan tells the index entries of the current version alone, and none where there is no resource',
  ],

  // close
  'Finishes what was begun and lets go of what the store itself opened.': ['close finishes what was begun'],
  'Afterwards everything is `Unavailable`; a search that would take long may be given up, and is `Unavailable`, too.':
    ['after close everything is Unavailable', 'a task made before close and run after it is Unavailable'],
};

/** Sentences that ask of a store what shows only when its database fails: its own tests see to them. */
export const untestableSentences: ReadonlySet<string> = new Set([
  'So many costly searches are running that the store does not begin another one.',
  "A store that loses its database's answer finds out what became of the commit before it answers.",
  'Where it cannot, it answers `OutcomeUnknown`: all of the commit may be written, now or after a crash, or nothing.',
  'No other function answers that.',
  'Only for a store on whose database the host can have a transaction open that ends before anything asynchronous runs.',
  'It is run where a function that may write is called, and where its task is run, and is `Unavailable` inside such a transaction.',
  'The store as a part of the transaction: what it reads and writes is undone with it.',
  'Once the transaction is over, everything is `Unavailable`.',
  'Throws for a store that is not on the same database.',
]);

/** Sentences that say what a name stands for, and ask nothing of a store by themselves. */
export const explanations: ReadonlySet<string> = new Set([
  'One version of a record.',
  'What the rules decide on, as JSON text.',
  'A new version of a record, and what it demands of the one before.',
  'What is written together, or not at all.',
  'The answer to a query.',
  'A version in the feed.',
  'A part of the feed or of a scan.',
  'A part of the feed.',
  'Only the store knows what it says and which of two comes first.',
  'What goes wrong in a store: a record has moved on, a search asks for too much, the store cannot do its work, or cannot say whether it did.',
  'A transaction of the host on the database of a store, as `inTransaction` of `@clinical-records/store-sqlite` begins one.',
  'The record that was not as expected.',
  'Where records are kept: versioned, found by index entries, and swapped atomically if they have not moved on.',
  'It knows no rule and no resource.',
  'What a record can be found by, besides its id and its patient.',
  "The prefixes of FHIR's date parameters.",
  'How the time of a record must lie to the time searched for.',
  'A time as searched for.',
]);

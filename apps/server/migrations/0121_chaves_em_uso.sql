-- The keys that may have sealed a value, each as a fingerprint. Each start writes its newest key before it seals.
-- append-only: chaves_em_uso
-- No line `desde`: an older program would seal with a key that is missing here.
create table chaves_em_uso (
  prova text primary key
);

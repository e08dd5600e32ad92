import type { Pool, PoolClient } from 'pg'
import type { Vault } from '#security/vault.ts'
import { MIGRATION_LOCK } from '#db/migrate/migrate.ts'

/**
 * One kind of sealed value. `valor` and `lugar` are SQL expressions: the sealed text and the context it is bound
 * to. `gravar` is the assignment that stores $1.
 */
interface SealedPlace {
  readonly table: string
  readonly value: string
  readonly context: string
  readonly assignment: string
  readonly parent?: string
}

const sealedColumn = (table: string, column: string, context: string): SealedPlace => ({
  table,
  value: column,
  context: `'${table}|${column}|' || ${context}`,
  assignment: `${column} = $1::text`,
})

function configuredKey(field: string): SealedPlace {
  const path = `'{${field.replaceAll('.', ',')}}'`
  return {
    table: 'configuracoes',
    value: `dados #>> ${path}`,
    context: `'configuracoes|dados.${field}|' || conta_id || '|config'`,
    assignment: `dados = jsonb_set(dados, ${path}, to_jsonb($1::text))`,
  }
}

/**
 * A table of lines: its values are bound to the name that it had before there were lines. `parent` holds the account of
 * each line of the table.
 */
const ofLines = (table: string, place: SealedPlace, parent?: string): SealedPlace => ({
  ...place,
  table,
  ...(parent === undefined ? {} : { parent }),
})

/**
 * All sealed values of the product. A missing entry would not be resealed when the secret changes; a test checks
 * the list.
 */
export const SEALED_PLACES: readonly SealedPlace[] = [
  ...['gemini.apiKey', 'ia.chaves.openai', 'ia.chaves.anthropic', 'ia.chaves.compativel'].map(configuredKey),
  {
    table: 'linhas_bots',
    value: `credenciais #>> '{}'`,
    context: `'bots|credenciais|' || linha_id || '|sessao'`,
    assignment: 'credenciais = to_jsonb($1::text)',
  },
  sealedColumn('configuracoes_admin', 'canario', `'unica'`),
  sealedColumn('configuracoes_admin', 'vapid_privada', `'unica'`),
  sealedColumn('push_inscricoes', 'destino', `conta_id || '|' || encode(marca, 'hex')`),
  sealedColumn('usuarios', 'totp_segredo', `conta_id || '|' || id`),
  sealedColumn('usuarios', 'totp_pendente', `conta_id || '|' || id`),
  sealedColumn('emails', 'texto', 'id'),
  ofLines(
    'linhas_chaves',
    sealedColumn('whatsapp_chaves', 'valor', `linha_id || '|' || tipo || '|' || id`),
    'linhas_bots',
  ),
  ofLines('linhas_chegadas', sealedColumn('whatsapp_chegadas', 'valor', `linha_id || '|' || id`), 'linhas_bots'),
  ...['token', 'segredo', 'verificacao'].map((column) =>
    ofLines('linhas_oficial', sealedColumn('oficial_contas', column, `linha_id || '|conta'`)),
  ),
  ofLines(
    'linhas_oficial_chegadas',
    sealedColumn('oficial_chegadas', 'valor', `linha_id || '|' || id`),
    'linhas_oficial',
  ),
  sealedColumn('webchats', 'segredo', `conta_id || '|' || linha_id`),
]

const keyOf = (value: string): string => `substring(${value} from '^selado:(k[0-9]+):')`

interface SealedRow {
  readonly ctid: string
  readonly chave: string
  readonly selado: string
  readonly lugar: string
}

async function withAllContas<T>(owner: Pool, fn: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.contas', '*', true)`)
    const done = await fn(client)
    await client.query('commit')
    return done
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

async function readSealed(
  client: PoolClient,
  { table, value, context }: SealedPlace,
  condition: string,
  args: unknown[],
): Promise<SealedRow[]> {
  const { rows } = await client.query<SealedRow>(
    `select ctid::text as ctid, ${keyOf(value)} as chave, ${value} as selado, ${context} as lugar
     from ${table} where ${value} like 'selado:%' ${condition}`,
    args,
  )
  return rows
}

/** Text of the fingerprints in `chaves_em_uso`. A fingerprint starts with the id of its key. */
const PROOF = { text: 'chave em uso', place: 'chaves_em_uso|prova' }

/** Value that every database contains sealed. A process with another secret cannot open it. */
export const TEST_VALUE = { text: 'canário', place: 'configuracoes_admin|canario|unica' }

/**
 * Throws a Portuguese sentence if a key that sealed stored values is missing or wrong: the server must not start and
 * seal new values with another key. Then records the newest key as used. Reads one row for each used key. It reads the
 * sealed values only on the first call for a database and when a used key is unknown.
 */
export async function checkSealedValues(owner: Pool, vault: Vault): Promise<void> {
  const { rows } = await owner.query<{ prova: string }>('select prova from chaves_em_uso')
  const known = new Set(vault.fingerprints(PROOF.text, PROOF.place))
  const newest = vault.fingerprint(PROOF.text, PROOF.place)
  if (rows.length === 0 || rows.some(({ prova }) => !known.has(prova))) {
    await openOneOfEachKey(owner, vault, { known, newest })
  } else if (!rows.some(({ prova }) => prova === newest)) await recordKeys(owner, [newest])
}

/**
 * Seals the test value if there is none, opens one value of each key in each place and records the keys. Reads every
 * sealed row. Under the lock of migrations, so that of two processes with different secrets only the first succeeds on
 * an empty database.
 */
async function openOneOfEachKey(
  owner: Pool,
  vault: Vault,
  { known, newest }: { readonly known: ReadonlySet<string>; readonly newest: string },
): Promise<void> {
  await withAllContas(owner, async (client) => {
    await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query('update configuracoes_admin set canario = $1 where canario is null', [
      vault.seal(TEST_VALUE.text, TEST_VALUE.place),
    ])
    const found = await openPlaces(client, vault, SEALED_PLACES)
    await recordKeys(client, [...usedOf(known, found), newest])
  })
}

/**
 * Checks the sealed values of one conta in the caller's transaction. Returns the fingerprints of their keys, for
 * `recordKeys`. Throws a Portuguese sentence if a key is missing or wrong. `contaId` must be a valid id.
 */
export async function checkSealedOfConta(client: PoolClient, vault: Vault, contaId: string): Promise<string[]> {
  const known = new Set(vault.fingerprints(PROOF.text, PROOF.place))
  const places = SEALED_PLACES.filter(({ table }) => table !== 'configuracoes_admin')
  const found = await openPlaces(client, vault, places, ({ parent }) => {
    const isOwn = `conta_id = '${contaId}'`
    return `and ${parent === undefined ? isOwn : `linha_id in (select linha_id from ${parent} where ${isOwn})`}`
  })
  return usedOf(known, found)
}

/** Opens one value of each key in each place. Returns the ids of the keys. */
async function openPlaces(
  client: PoolClient,
  vault: Vault,
  places: readonly SealedPlace[],
  conditionOf: (place: SealedPlace) => string = () => '',
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const onde of places) {
    const condition = conditionOf(onde)
    const umDeCada = `${condition} and ctid in (select min(ctid) from ${onde.table} where ${onde.value} like 'selado:%' ${condition} group by ${keyOf(onde.value)})`
    for (const { selado, lugar, chave } of await readSealed(client, onde, umDeCada, [])) {
      try {
        vault.open(selado, lugar)
      } catch {
        throw new Error(
          `há dados guardados em ${onde.table} que a chave ${chave} não abre. Use o mesmo APP_SECRET (ou o arquivo app-secret) com que foram guardados.`,
        )
      }
      found.add(chave)
    }
  }
  return found
}

const usedOf = (known: ReadonlySet<string>, found: ReadonlySet<string>): string[] =>
  [...known].filter((proof) => found.has(proof.slice(0, proof.indexOf(':'))))

export async function recordKeys(client: Pool | PoolClient, proofs: readonly string[]): Promise<void> {
  await client.query('insert into chaves_em_uso (prova) select unnest($1::text[]) on conflict do nothing', [proofs])
}

const BATCH_SIZE = 500

/**
 * Seals values of older keys again with the newest key, which is then the only used one. `checkSealedValues` must have
 * accepted the keys. No other process may seal values at the same time.
 */
export async function resealValues(owner: Pool, vault: Vault) {
  const done = new Map<string, number>()
  const unreadable = new Map<string, number>()
  const [, current = ''] = /^selado:(k\d+):/.exec(vault.seal('', '')) ?? []
  for (const onde of SEALED_PLACES) {
    const damaged: string[] = []
    for (;;) {
      const feitos = await withAllContas(owner, (client) =>
        resealBatch(client, vault, { ...onde, current, damaged, done }),
      )
      if (feitos === 0) break
    }
    if (damaged.length > 0) unreadable.set(onde.table, (unreadable.get(onde.table) ?? 0) + damaged.length)
  }
  const newest = vault.fingerprint(PROOF.text, PROOF.place)
  await recordKeys(owner, [newest])
  await owner.query('delete from chaves_em_uso where prova <> $1', [newest])
  return { done, unreadable }
}

interface ResealRun extends SealedPlace {
  readonly current: string
  /** Receives the `ctid` of each value that cannot be opened. Such rows are left out. */
  readonly damaged: string[]
  readonly done: Map<string, number>
}

async function resealBatch(client: PoolClient, vault: Vault, run: ResealRun): Promise<number> {
  const { current, damaged, done } = run
  const condition = `and ${run.value} not like $1 and ctid <> all ($2::tid[]) limit ${BATCH_SIZE} for update`
  const antigos = await readSealed(client, run, condition, [`selado:${current}:%`, damaged])
  for (const { ctid, chave, selado, lugar } of antigos) {
    const opened = vault.tryOpen(selado, lugar)
    if (opened === null) damaged.push(ctid)
    else {
      await client.query(`update ${run.table} set ${run.assignment} where ctid = $2::tid`, [
        vault.seal(opened, lugar),
        ctid,
      ])
      done.set(chave, (done.get(chave) ?? 0) + 1)
    }
  }
  return antigos.length
}

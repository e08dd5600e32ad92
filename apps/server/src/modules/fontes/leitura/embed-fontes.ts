import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { packVector, storeVectors } from '../busca/vectors.ts'
import { embeddingAccessOf } from '../embedding-access.ts'

/** Longer than the requests for 10,000 pieces take. Afterwards another node asks again. */
const LEASE_MS = 300_000
/** Without a key, and after a failure of the provider. */
const RETRY_MS = 600_000
/** Pieces that are asked and stored together. */
const PART = 200
const SOURCES_PER_ROUND = 20

const id = value('id', 'uuid')
const until = value('until', 'timestamptz')
const modelo = value('modelo', 'text')
const now = value('now', 'timestamptz')

const claimDue = oneRow(
  'fontes: claim vectors',
  z.object({ contaId: z.string(), id: z.string(), titulo: z.string(), lidaEm: z.date() }),
  sql`update fontes f set vetores_em = ${until} from (
      select conta_id, id from fontes where vetores_em <= ${now} and lida_em is not null
      order by vetores_em limit 1 for update skip locked
    ) d where f.conta_id = d.conta_id and f.id = d.id returning f.conta_id, f.id, f.titulo, f.lida_em`,
)

const postpone = noRows(
  'fontes: postpone vectors',
  sql`update fontes set vetores_em = ${until} where conta_id = ${contaId} and id = ${id} and vetores_em is not null`,
)

/** Nothing when the source was read again meanwhile: its new pieces are due. */
const finish = noRows(
  'fontes: finish vectors',
  sql`update fontes set vetores_em = null, modelo_vetores = ${modelo}
    where conta_id = ${contaId} and id = ${id} and lida_em = ${value('lidaEm', 'timestamptz')}`,
)

/** Without a vector, or with one of another model. */
const listTexts = manyRows(
  'fontes: list texts without vectors',
  z.object({ ordem: z.int(), secao: z.string(), texto: z.string() }),
  sql`select ordem, secao, texto from fontes_trechos
    where conta_id = ${contaId} and fonte_id = ${id} and length(embedding) is distinct from ${value('numbers', 'int')}
    order by ordem limit ${value('max', 'int')}`,
)

type EmbedDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'embeddings' | 'crashPoint'>
type DueFonte = NonNullable<Awaited<ReturnType<typeof claimDue>>>

/** Asks the provider for the vectors of read sources. Without them a search compares words alone. */
export async function embedDueFontes(deps: EmbedDeps, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < SOURCES_PER_ROUND && !signal.aborted; round += 1) {
    const at = deps.clock.now()
    const lease = { now: at, until: new Date(at.getTime() + LEASE_MS) }
    const due = await deps.db.transaction('*', (tx) => claimDue(tx, lease))
    if (due === null) return
    const { contaId: account } = due
    const embedded = await embedFonte(deps, due, signal)
    if (!embedded) {
      const retry = new Date(deps.clock.now().getTime() + RETRY_MS)
      await deps.db.transaction(account, (tx) => postpone(tx, { contaId: account, id: due.id, until: retry }))
    }
  }
}

/** False without a key or an answer. Stored parts are kept. */
async function embedFonte(deps: EmbedDeps, due: DueFonte, signal: AbortSignal): Promise<boolean> {
  const { db, embeddings } = deps
  const { contaId: account, id: fonteId, titulo, lidaEm } = due
  const key = { contaId: account, id: fonteId }
  const { config } = await db.read(account, (tx) => loadConfig(tx, deps, account))
  const access = embeddingAccessOf(config)
  if (access === null) return false
  const { modelo: model, numbers } = embeddings.spaceOf(access.provedor)
  for (;;) {
    const rows = await db.read(account, (tx) => listTexts(tx, { ...key, numbers, max: PART }))
    if (rows.length === 0) {
      await db.transaction(account, (tx) => finish(tx, { ...key, lidaEm, modelo: model }))
      return true
    }
    const texts = rows.map(({ secao, texto }) => [titulo, secao, texto].filter((part) => part !== '').join('\n'))
    const vectors = await embeddings.embed(access, texts, 'trecho', signal)
    if (vectors === null || vectors.length !== rows.length) return false
    const i = rows.map(({ ordem }, index) => ({ ordem, vector: toBase64(vectors[index] ?? []) }))
    const stored = await db.transaction(account, (tx) => storeVectors(tx, { ...key, lidaEm, i }))
    // Read again or deleted meanwhile. Its new pieces are due.
    if (stored === 0) return true
  }
}

const toBase64 = (vector: readonly number[]): string => Buffer.from(packVector(vector).buffer).toString('base64')

import type { BodyOf } from '@balcao/contract/define-route'
import type { Lote } from '@balcao/contract/entities/lote'
import type { loteRoute } from '@balcao/contract/routes/lote'
import * as z from 'zod/mini'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import type { RunAct } from '#modules/atendimento/conversa/act-batch.ts'
import { refOf } from '#modules/atendimento/conversa/change.ts'
import { endConversa } from '#modules/atendimento/conversa/end.ts'
import { transferConversa } from '#modules/atendimento/conversa/transfer.ts'
import type { ConfigDeps } from '#modules/configuracao/index.ts'
import { type TagChange, tagContatos } from '#modules/contatos/index.ts'
import { readable, readerValues } from '#modules/leitores/index.ts'
import { markConversas } from '#modules/leituras/index.ts'
import { settleEach } from './settle-each.ts'

export type ManyDeps = ConfigDeps & Pick<Deps, 'db' | 'clock' | 'realtime' | 'sendEventIn' | 'lookForDueIn'>

export interface ManyBatches {
  readonly runEnd: RunAct
  readonly runOther: RunAct
}

const listNamed = manyRows(
  'atendimento: list named conversas',
  z.object({ id: z.string(), contatoId: z.string(), status: z.string() }),
  sql`select v.id, v.contato_id, v.status from conversas v
      where v.conta_id = ${contaId} and v.id = any (${value('ids', 'uuid[]')}) and v.protocolo is not null
        and ${readable('v')}`,
)

/** Ids grouped by the refusal that is known without a lock. */
interface Sorted {
  readonly open: readonly string[]
  readonly refused: Lote['recusadas']
  /** Contato by conversa. */
  readonly contatos: ReadonlyMap<string, string>
}

/** A refusal inside a batch of acts repeats each of its acts alone, so the known ones never get there. */
async function sortIds(deps: ManyDeps, session: LoginSession, ids: readonly string[]): Promise<Sorted> {
  const values = { contaId: session.contaId, ids: ids.filter(isUuid), ...readerValues(session) }
  const rows = await deps.db.read(session.contaId, (tx) => listNamed(tx, values), { planner: 'indexes' })
  const found = new Map(rows.map((row) => [row.id, row]))
  const open = ids.filter((id) => found.has(id) && found.get(id)?.status !== 'finalizada')
  const refused = ids
    .filter((id) => !open.includes(id))
    .map((id) => ({ id, codigo: found.has(id) ? 'conversaFinalizada' : 'naoEncontrado' }))
  return { open, refused, contatos: new Map(rows.map(({ id, contatoId }) => [id, contatoId])) }
}

async function actOnOpen(
  deps: ManyDeps,
  session: LoginSession,
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<Lote> {
  const { open, refused } = await sortIds(deps, session, ids)
  const { feitas, recusadas } = await settleEach(open, act)
  return { feitas, recusadas: [...refused, ...recusadas] }
}

/** Etiquetas belong to the contato, so a finished conversa is no refusal. */
async function tagConversas(
  deps: ManyDeps,
  session: LoginSession,
  ids: readonly string[],
  change: TagChange,
): Promise<Lote> {
  const { contaId } = session
  const { contatos } = await sortIds(deps, session, ids)
  const tagged = await deps.db.transaction(contaId, (tx) =>
    tagContatos(tx, deps, contaId, [...new Set(contatos.values())], change),
  )
  const done = new Set(tagged.feitas)
  const feitas = ids.filter((id) => done.has(contatos.get(id) ?? ''))
  const recusadas = ids.filter((id) => !feitas.includes(id)).map((id) => ({ id, codigo: 'naoEncontrado' }))
  return { feitas, recusadas }
}

/** Acts of a batch share their statements and the commit. */
export function runMany(
  deps: ManyDeps,
  { runEnd, runOther }: ManyBatches,
  session: LoginSession,
  body: BodyOf<typeof loteRoute>,
): Promise<Lote> {
  const ids = body.conversaIds
  switch (body.ato) {
    case 'etiquetar':
      return tagConversas(deps, session, ids, body)
    case 'transferir':
      return actOnOpen(deps, session, ids, (id) =>
        runOther(refOf(session, id), (tx) => transferConversa(tx, deps, session, id, body)),
      )
    case 'finalizar': {
      const { ato: tipo, conversaIds: _, ...how } = body
      const end = { tipo, por: session.usuarioId, ...how }
      return actOnOpen(deps, session, ids, (id) => {
        const ref = refOf(session, id)
        return runEnd(ref, (tx) => endConversa(tx, deps, ref, end))
      })
    }
    case 'leitura':
      return markConversas(deps, session, ids, { tipo: body.marcada === true ? 'naoLida' : 'leuTudo' })
    case 'lembrar':
      return markConversas(deps, session, ids, { tipo: 'lembrar', em: body.em === null ? null : new Date(body.em) })
    default:
      return body satisfies never
  }
}

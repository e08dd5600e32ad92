import * as z from 'zod/mini'
import { type Sessao, sessaoSchema } from '@balcao/contract/entities/identidade'
import { instant } from '#db/statement/fields.ts'
import { sql, value } from '#db/statement/sql.ts'
import { manyRows, oneRow } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { deviceOf } from './device.ts'

/** Enough of the hash of a token to be unique, and useless as a token. */
const ID_LENGTH = 32

const alive = sql`usuario_id = ${value('usuarioId', 'uuid')} and revogada_em is null and expira_em > ${value('now', 'timestamptz')}`
const hash = sql`encode(token_hash, 'hex') as token_hash`

const listAlive = manyRows(
  'auth: list sessions',
  z.object({
    tokenHash: z.string(),
    criadaEm: instant,
    ultimoUso: instant,
    ip: z.string(),
    agente: z.string(),
    metodo: sessaoSchema.shape.metodo,
  }),
  sql`select ${hash}, criada_em, ultimo_uso, ip, agente, metodo from sessoes where ${alive}
      order by ultimo_uso desc, criada_em desc`,
)

const findAlive = oneRow(
  'auth: find session',
  z.object({ tokenHash: z.string() }),
  sql`select ${hash} from sessoes
      where ${alive} and substring(token_hash for 16) = decode(${value('id', 'text')}, 'hex')`,
)

export async function listSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { usuarioId, tokenHash }: RequestSession,
): Promise<Sessao[]> {
  const rows = await db.transaction(NO_CONTA, (tx) => listAlive(tx, { usuarioId, now: clock.now() }))
  return rows.map(({ tokenHash: id, agente, ...row }) => ({
    ...row,
    id: id.slice(0, ID_LENGTH),
    atual: id === tokenHash,
    aparelho: deviceOf(agente),
  }))
}

type EndDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>

/** Throws `naoEncontrado` for a session of another usuario and for one that ended. */
export async function endSession(deps: EndDeps, session: RequestSession, id: string): Promise<void> {
  if (!/^[0-9a-f]{32}$/.test(id)) throw new AppError('naoEncontrado')
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const found = await findAlive(tx, { usuarioId: session.usuarioId, id, now: deps.clock.now() })
    if (found === null) throw new AppError('naoEncontrado')
    await revokeLoginSessions(tx, deps, found)
    await recordAuditoria(tx, deps, { acao: 'sessoesEncerradas', quem: session, detalhe: 'Uma sessão própria' })
  })
}

export async function endOtherSessions(deps: EndDeps, session: RequestSession): Promise<void> {
  const { usuarioId, tokenHash } = session
  await deps.db.transaction(NO_CONTA, async (tx) => {
    await revokeLoginSessions(tx, deps, { usuarioId, exceto: tokenHash })
    await recordAuditoria(tx, deps, { acao: 'sessoesEncerradas', quem: session, detalhe: 'As outras sessões próprias' })
  })
}

const personSchema = z.object({ usuarioId: z.string(), contaId: z.string(), nome: z.string(), email: z.string() })

const findPerson = oneRow(
  'auth: find person of session',
  personSchema,
  sql`select u.id as usuario_id, u.conta_id, u.nome, u.email from sessoes s join usuarios u on u.id = s.usuario_id
      where s.token_hash = decode(${value('tokenHash', 'text')}, 'hex') and s.revogada_em is null
        and s.expira_em > ${value('now', 'timestamptz')}`,
)

export async function logOutLate(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>,
  tokenHash: string,
  ip: string,
): Promise<void> {
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await findPerson(tx, { tokenHash, now: deps.clock.now() })
    if (person === null) return
    await revokeLoginSessions(tx, deps, { tokenHash })
    await recordAuditoria(tx, deps, { acao: 'sair', quem: { ...person, ip }, detalhe: 'Sem conexão ao sair' })
  })
}

import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { componentesPermitidosSchema, planoSchema, tipoUsuarioSchema } from '@balcao/contract/entities/usuario'
import { sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Authenticate, LoginSession } from '#http/authentication.ts'
import { hashToken } from '#security/token.ts'
import { NO_CONTA } from './login-sessions.ts'
import { secondFactorColumns, secondFactorFields } from './second-factor/status.ts'

const CACHE_MS = 1_000
const CACHED_MAX = 10_000

interface ReadLoginSession {
  readonly sessao: LoginSession
  readonly expiresAt: Date
}

/** `forgetSessions` clears the cache after a change of a usuario, conta or session. */
export function createAuthenticate(
  deps: Pick<Deps, 'db' | 'clock'> & {
    /** False: another node may have revoked a session unheard, so nothing is cached. */
    readonly mayCache: () => boolean
  },
): {
  readonly authenticate: Authenticate
  readonly forgetSessions: () => void
} {
  // `ttlResolution: 0` reads the clock on every access instead of starting a timer.
  const cache = new LRUCache<string, Promise<ReadLoginSession | null>>({
    max: CACHED_MAX,
    ttl: CACHE_MS,
    ttlResolution: 0,
  })

  const read = (key: string, tokenHash: Buffer): Promise<ReadLoginSession | null> => {
    const reading = deps.db.transaction(NO_CONTA, (tx) => findLoginSession(tx, tokenHash, deps.clock.now()))
    if (!deps.mayCache()) return reading
    cache.set(key, reading)
    const drop = (): void => {
      if (cache.peek(key) === reading) cache.delete(key)
    }
    reading.then((session) => session ?? drop(), drop)
    return reading
  }

  return {
    authenticate: async (token) => {
      const tokenHash = hashToken(token)
      const key = tokenHash.toString('hex')
      const cached = deps.mayCache() ? cache.get(key) : undefined
      const session = await (cached ?? read(key, tokenHash))
      return session !== null && session.expiresAt > deps.clock.now() ? session.sessao : null
    },
    forgetSessions: () => cache.clear(),
  }
}

const rowSchema = z.object({
  usuarioId: z.string(),
  contaId: z.string(),
  nome: z.string(),
  email: z.string(),
  tipo: tipoUsuarioSchema,
  plano: planoSchema,
  empresa: z.string(),
  componentes: componentesPermitidosSchema,
  setores: z.array(z.string()),
  linhas: z.array(z.string()),
  expiraEm: z.date(),
  confirmadaEm: z.nullable(z.date()),
  ...secondFactorFields,
  usarAgora: z.boolean(),
})

/** The session of an operador is valid only while the owner of the conta is active. */
const findByToken = oneRow(
  'sessao-do-token',
  rowSchema,
  sql`
  select u.id as usuario_id, u.conta_id, u.nome, u.email, u.tipo, c.plano, c.empresa,
         c.componentes_permitidos as componentes,
         case when u.tipo = 'operador' then u.setores else '[]' end as setores,
         case when u.tipo = 'operador' then u.linhas else '[]' end as linhas, s.expira_em, s.confirmada_em,
         ${secondFactorColumns}, s.ultimo_uso <= ${value('now', 'timestamptz')} - interval '1 minute' as usar_agora
    from sessoes s
    join usuarios u on u.id = s.usuario_id and u.status = 'ativo' and u.excluido_em is null
    join contas c on c.id = u.conta_id and c.excluida_em is null and c.mudanca is null
   where s.token_hash = ${value('tokenHash', 'bytea')} and s.revogada_em is null and s.expira_em > ${value('now', 'timestamptz')}
     and (u.tipo <> 'operador' or exists (
           select 1 from usuarios dono
            where dono.conta_id = u.conta_id and dono.tipo <> 'operador' and dono.status = 'ativo'
              and dono.excluido_em is null))`,
  { prepared: true },
)

const touchLoginSession = noRows(
  'auth: touch session',
  sql`update sessoes set ultimo_uso = ${value('now', 'timestamptz')} where token_hash = ${value('tokenHash', 'bytea')}`,
)

async function findLoginSession(tx: Tx, tokenHash: Buffer, now: Date): Promise<ReadLoginSession | null> {
  const found = await findByToken(tx, { tokenHash, now })
  if (found === null) return null
  const { expiraEm, usarAgora, temTotp, temPasskey, exigeFator, ...quem } = found
  if (usarAgora) await touchLoginSession(tx, { tokenHash, now })
  const segundoFator = { totp: temTotp, passkey: temPasskey, exigido: exigeFator }
  return { sessao: { tokenHash: tokenHash.toString('hex'), ...quem, segundoFator }, expiresAt: expiraEm }
}

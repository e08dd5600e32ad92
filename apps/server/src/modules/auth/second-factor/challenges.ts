import * as z from 'zod/mini'
import { DESAFIO_ERROS_MAXIMO, DESAFIO_MS } from '@balcao/contract/constants'
import { rawSql, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { hashToken } from '#security/token.ts'

/** Rows of `desafios`: logins between two steps, and what a passkey has to sign. Any node may finish them. */

const hash = value('hash', 'bytea')
const now = value('now', 'timestamptz')

const insertChallenge = noRows(
  'auth: insert challenge',
  sql`insert into desafios (token_hash, uso, usuario_id, sorteio, sessao, lembrar, expira_em)
      values (${hash}, ${value('uso', 'text')}, ${value('usuarioId', 'uuid?')}, ${value('sorteio', 'text?')},
        decode(${value('tokenHash', 'text?')}, 'hex'), ${value('lembrar', 'bool')}, ${value('expiraEm', 'timestamptz')})`,
)

interface Opened {
  readonly token: string
  readonly expiraEm: Date
}

export async function openLogin(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  { usuarioId, lembrar }: { readonly usuarioId: string; readonly lembrar: boolean },
): Promise<Opened> {
  const token = ids.token()
  const expiraEm = new Date(clock.now().getTime() + DESAFIO_MS)
  const login = { uso: 'entrar', usuarioId, lembrar, sorteio: null, tokenHash: null }
  await insertChallenge(tx, { hash: hashToken(token), expiraEm, ...login })
  return { token, expiraEm }
}

const openedLoginSchema = z.object({ usuarioId: z.string(), lembrar: z.boolean() })

const countTry = oneRow(
  'auth: count try of login',
  openedLoginSchema,
  sql`update desafios set tentativas = tentativas + 1
      where token_hash = ${hash} and uso = 'entrar' and expira_em > ${now}
        and tentativas < ${rawSql(String(DESAFIO_ERROS_MAXIMO))}
      returning usuario_id, lembrar`,
)

/** Counted before the check, so parallel guesses cannot exceed five. Throws `desafioVencido`. */
export async function tryLogin(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  token: string,
): Promise<z.output<typeof openedLoginSchema>> {
  const opened = await countTry(tx, { hash: hashToken(token), now: clock.now() })
  if (opened === null) throw new AppError('desafioVencido')
  return opened
}

const deleteLogin = noRows('auth: delete login', sql`delete from desafios where token_hash = ${hash}`)

/** Throws `desafioVencido` if another request ended it first. */
export async function finishLogin(tx: Tx, token: string): Promise<void> {
  if ((await deleteLogin(tx, { hash: hashToken(token) })) !== 1) throw new AppError('desafioVencido')
}

export async function openChallenge(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  registering: { readonly usuarioId: string; readonly tokenHash: string } | null,
): Promise<Opened & { readonly sorteio: string }> {
  const [token, sorteio] = [ids.token(), ids.token()]
  const expiraEm = new Date(clock.now().getTime() + DESAFIO_MS)
  const use =
    registering === null ? { uso: 'passkey', usuarioId: null, tokenHash: null } : { uso: 'cadastro', ...registering }
  await insertChallenge(tx, { hash: hashToken(token), sorteio, expiraEm, lembrar: false, ...use })
  return { token, sorteio, expiraEm }
}

const deleteChallenge = noRows(
  'auth: delete challenge',
  sql`delete from desafios where sorteio = ${value('sorteio', 'text')} and uso = ${value('uso', 'text')}
        and expira_em > ${now} and (${value('hash', 'bytea?')} is null or token_hash = ${value('hash', 'bytea?')})
        and (${value('tokenHash', 'text?')} is null or sessao = decode(${value('tokenHash', 'text?')}, 'hex'))`,
)

/** False: it is unknown, of another use, expired or used. */
export async function takeChallenge(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  sorteio: string,
  use:
    | { readonly uso: 'passkey'; readonly desafio?: string }
    | { readonly uso: 'cadastro'; readonly tokenHash: string },
): Promise<boolean> {
  const hash = 'desafio' in use ? hashToken(use.desafio) : null
  const tokenHash = 'tokenHash' in use ? use.tokenHash : null
  return (await deleteChallenge(tx, { sorteio, uso: use.uso, now: clock.now(), hash, tokenHash })) === 1
}

export const cancelChallenges = noRows(
  'auth: cancel challenges',
  sql`delete from desafios where usuario_id = ${value('usuarioId', 'uuid')}`,
)

import * as z from 'zod/mini'
import { DESAFIO_ERROS_MAXIMO, DESAFIO_MS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { hashToken } from '#security/token.ts'

/** Rows of `desafios`: logins between two steps, and what a passkey has to sign. Any node may finish them. */

interface Opened {
  /** For the browser; only its hash is stored. */
  readonly token: string
  readonly expiraEm: Date
}

/** After a right password. */
export async function openLogin(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  { usuarioId, lembrar }: { readonly usuarioId: string; readonly lembrar: boolean },
): Promise<Opened> {
  const token = ids.token()
  const expiraEm = new Date(clock.now().getTime() + DESAFIO_MS)
  await tx.kysely
    .insertInto('desafios')
    .values({ tokenHash: hashToken(token), uso: 'entrar', usuarioId, lembrar, expiraEm })
    .execute()
  return { token, expiraEm }
}

const openedLoginSchema = z.object({ usuarioId: z.string(), lembrar: z.boolean() })

/**
 * Counts one try of the second step before it is checked, so parallel guesses cannot exceed five. Throws
 * `desafioVencido`.
 */
export async function tryLogin(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  token: string,
): Promise<z.output<typeof openedLoginSchema>> {
  const [opened] = await tx.rows(
    openedLoginSchema,
    `update desafios set tentativas = tentativas + 1
      where token_hash = $1 and uso = 'entrar' and expira_em > $2 and tentativas < $3
      returning usuario_id as "usuarioId", lembrar`,
    [hashToken(token), clock.now(), DESAFIO_ERROS_MAXIMO],
  )
  if (opened === undefined) throw new AppError('desafioVencido')
  return opened
}

/** Ends the login of the second step. Throws `desafioVencido` if another request ended it first. */
export async function finishLogin(tx: Tx, token: string): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('desafios')
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst()
  if (numDeletedRows !== 1n) throw new AppError('desafioVencido')
}

interface OpenedChallenge extends Opened {
  readonly sorteio: string
}

/** Something to sign: at a login by anyone, or by the new passkey of this session. */
export async function openChallenge(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  registering: { readonly usuarioId: string; readonly tokenHash: string } | null,
): Promise<OpenedChallenge> {
  const [token, sorteio] = [ids.token(), ids.token()]
  const expiraEm = new Date(clock.now().getTime() + DESAFIO_MS)
  const of =
    registering === null
      ? { uso: 'passkey' as const, usuarioId: null }
      : {
          uso: 'cadastro' as const,
          usuarioId: registering.usuarioId,
          sessao: Buffer.from(registering.tokenHash, 'hex'),
        }
  await tx.kysely
    .insertInto('desafios')
    .values({ tokenHash: hashToken(token), sorteio, expiraEm, ...of })
    .execute()
  return { token, sorteio, expiraEm }
}

/** Uses the challenge up. False: it is unknown, of another use, expired or used. */
export async function takeChallenge(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  sorteio: string,
  use:
    | { readonly uso: 'passkey'; readonly desafio?: string }
    | { readonly uso: 'cadastro'; readonly tokenHash: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('desafios')
    .where('sorteio', '=', sorteio)
    .where('uso', '=', use.uso)
    .where('expiraEm', '>', clock.now())
    .$if('desafio' in use, (query) => query.where('tokenHash', '=', hashToken('desafio' in use ? use.desafio : '')))
    .$if('tokenHash' in use, (query) =>
      query.where('sessao', '=', Buffer.from('tokenHash' in use ? use.tokenHash : '', 'hex')),
    )
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Logins between two steps and registrations of the usuario end. */
export async function cancelChallenges(tx: Tx, usuarioId: string): Promise<void> {
  await tx.kysely.deleteFrom('desafios').where('usuarioId', '=', usuarioId).execute()
}

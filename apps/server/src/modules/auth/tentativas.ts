import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'

/** At most `maximo` attempts of this key within `janelaMs`. */
export interface Limite {
  readonly chave: string
  readonly maximo: number
  readonly janelaMs: number
}

/** What was counted, so that a success can be taken back out. */
export interface Tentativa {
  readonly chaves: readonly string[]
  readonly em: Date
}

const MINUTO_MS = 60_000
const HORA_MS = 60 * MINUTO_MS

/** Wrong passwords (decisions §1): per e-mail and address, and per address. */
export function limitesDeSenha(email: string, ip: string): Limite[] {
  return [
    { chave: `senha:${email}|${ip}`, maximo: 10, janelaMs: 15 * MINUTO_MS },
    { chave: `senha-ip:${ip}`, maximo: 50, janelaMs: HORA_MS },
  ]
}

export function limiteDeCadastro(ip: string): Limite {
  return { chave: `cadastro:${ip}`, maximo: 100, janelaMs: HORA_MS }
}

export function limiteDeRedefinicao(email: string): Limite {
  return { chave: `redefinir:${email}`, maximo: 5, janelaMs: HORA_MS }
}

/** Invitations: a mail to a stranger is not a toy, neither of one address nor of one account. */
export function limitesDeConvite(email: string, contaId: string): Limite[] {
  return [
    { chave: `convite:${email}`, maximo: 5, janelaMs: HORA_MS },
    { chave: `convite-conta:${contaId}`, maximo: 100, janelaMs: HORA_MS },
  ]
}

/** Links of invitations that did not open, per address. */
export function limiteDeConviteLido(ip: string): Limite {
  return { chave: `convite-ip:${ip}`, maximo: 50, janelaMs: HORA_MS }
}

/** Codes for a phone: each shows a notice on it, whoever's it is. */
export function limitesDeCodigo(contaId: string, telefone: string): Limite[] {
  return [
    { chave: `codigo:${telefone}`, maximo: 5, janelaMs: HORA_MS },
    { chave: `codigo-conta:${contaId}`, maximo: 20, janelaMs: HORA_MS },
  ]
}

/**
 * Counts one attempt against every limit, or throws `muitasTentativas` and counts none. Counting comes before the
 * costly check, and one key is counted by one transaction at a time: no number of parallel tries passes the limit.
 */
export async function countAttempt(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  limites: readonly Limite[],
): Promise<Tentativa> {
  const em = clock.now()
  const chaves = limites.map(({ chave }) => chave).toSorted()
  for (const chave of chaves) await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [chave])
  for (const limite of limites) await checkLimit(tx, limite, em)
  await tx.kysely
    .insertInto('tentativas')
    .values(chaves.map((chave) => ({ chave, em })))
    .execute()
  return { chaves, em }
}

async function checkLimit(tx: Tx, { chave, maximo, janelaMs }: Limite, agora: Date): Promise<void> {
  const inicio = new Date(agora.getTime() - janelaMs)
  await tx.kysely.deleteFrom('tentativas').where('chave', '=', chave).where('em', '<=', inicio).execute()
  const ultimas = await tx.kysely
    .selectFrom('tentativas')
    .select('em')
    .where('chave', '=', chave)
    .orderBy('em', 'desc')
    .limit(maximo)
    .execute()
  const primeira = ultimas[maximo - 1]
  if (primeira === undefined) return
  const faltaMs = primeira.em.getTime() + janelaMs - agora.getTime()
  throw new AppError('muitasTentativas', { tentarEmS: Math.max(1, Math.ceil(faltaMs / 1000)) })
}

/** A right password was no attempt: takes one row of each key back out. */
export async function forgetAttempt(tx: Tx, { chaves, em }: Tentativa): Promise<void> {
  for (const chave of chaves) {
    await tx.query(
      'delete from tentativas where ctid = (select ctid from tentativas where chave = $1 and em = $2 limit 1)',
      [chave, em],
    )
  }
}

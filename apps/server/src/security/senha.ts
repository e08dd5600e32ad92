import { hash, parseOptions, verify } from '@node-rs/argon2'
import { SENHA_MAXIMO_BYTES } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'
import { createGate } from './gate.ts'

/**
 * argon2id, the library's default algorithm. `memoryCost` in KiB. Hashes with other parameters are renewed at
 * login.
 */
const PARAMETROS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

const { memoryCost, timeCost, parallelism } = PARAMETROS
const vazio = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replaceAll('=', '')

/** Matches no password. Verifying against it takes as long as a real check. */
const HASH_DE_NINGUEM = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${vazio(16)}$${vazio(32)}`

/** Shared by the whole process, because a flood of logins would exhaust its CPU and memory. */
const portao = createGate({
  atOnce: 2,
  waiting: 50,
  full: () => new AppError('muitasTentativas', { tentarEmS: 2 }),
})

/** Returns the PHC string to store. The password is neither trimmed nor normalised. */
export async function hashSenha(senha: string): Promise<string> {
  if (!cabe(senha)) throw new AppError('dadosInvalidos', { erro: 'Senha muito longa' })
  return portao.run(() => hash(senha, PARAMETROS))
}

/** Called inside the limited section, so that only a few attempts are counted before their check. */
export interface Guarda {
  /** Throws to refuse the attempt before hashing. */
  readonly before: () => Promise<void>
  readonly right: () => Promise<void>
}

/** Checks a password. Without a hash (unknown usuario) the check takes equally long and returns false. */
export async function verifySenha(senhaHash: string | null, senha: string, guarda?: Guarda): Promise<boolean> {
  if (!cabe(senha)) return false
  return portao.run(async () => {
    await guarda?.before()
    const confere = (await verify(senhaHash ?? HASH_DE_NINGUEM, senha)) && senhaHash !== null
    if (confere) await guarda?.right()
    return confere
  })
}

export function isSenhaAntiga(senhaHash: string): boolean {
  const usados = parseOptions(senhaHash)
  return usados.memoryCost !== memoryCost || usados.timeCost !== timeCost || usados.parallelism !== parallelism
}

function cabe(senha: string): boolean {
  return Buffer.byteLength(senha) <= SENHA_MAXIMO_BYTES
}

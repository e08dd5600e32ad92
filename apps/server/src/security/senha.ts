import { hash, parseOptions, verify } from '@node-rs/argon2'
import { SENHA_MAXIMO_BYTES } from '@balcao/contract/constants'
import { AppError } from '#errors.ts'
import { createGate } from './gate.ts'

/** argon2id, the library's default algorithm. `memoryCost` in KiB. A stored hash made with others is made anew at login. */
const PARAMETROS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

const { memoryCost, timeCost, parallelism } = PARAMETROS
const vazio = (bytes: number): string => Buffer.alloc(bytes).toString('base64').replaceAll('=', '')

/** Opens with no password; checking against it costs what a real check costs. */
const HASH_DE_NINGUEM = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${vazio(16)}$${vazio(32)}`

/** Of the process on purpose: its processors and its memory are what a flood of passwords would take. */
const portao = createGate({
  atOnce: 2,
  waiting: 50,
  full: () => new AppError('muitasTentativas', { tentarEmS: 2 }),
})

/** The PHC string to store. The password is taken as typed: no trimming, no normalisation. */
export async function hashSenha(senha: string): Promise<string> {
  if (!cabe(senha)) throw new AppError('dadosInvalidos', { erro: 'Senha muito longa' })
  return portao.run(() => hash(senha, PARAMETROS))
}

/** What stands around a check, inside its turn: few checks are under way at once, so few attempts are counted in advance. */
export interface Guarda {
  /** Throws to refuse the attempt before it costs anything. */
  readonly before: () => Promise<void>
  /** The password was right. */
  readonly right: () => Promise<void>
}

/** Whether the password opens the hash. Without a hash (nobody by that name) it takes as long and says no. */
export async function verifySenha(senhaHash: string | null, senha: string, guarda?: Guarda): Promise<boolean> {
  if (!cabe(senha)) return false
  return portao.run(async () => {
    await guarda?.before()
    const confere = (await verify(senhaHash ?? HASH_DE_NINGUEM, senha)) && senhaHash !== null
    if (confere) await guarda?.right()
    return confere
  })
}

/** True when the hash was made with other parameters than today's. */
export function isSenhaAntiga(senhaHash: string): boolean {
  const usados = parseOptions(senhaHash)
  return usados.memoryCost !== memoryCost || usados.timeCost !== timeCost || usados.parallelism !== parallelism
}

function cabe(senha: string): boolean {
  return Buffer.byteLength(senha) <= SENHA_MAXIMO_BYTES
}

import * as z from 'zod/mini'
import { SENHA_MAXIMO_BYTES, SENHA_MINIMO, TEXTO_MAXIMO } from '#constants.ts'

/** Schemas shared by entities and request bodies. Schemas for input carry Portuguese messages. */

/** Instant in ISO 8601, UTC, such as `2026-01-31T12:00:00.000Z`. */
export const instantSchema = z.iso.datetime()

export const idSchema = z.string().check(z.minLength(1), z.maxLength(100))

/** Begins the key of a scheduled message. Clients must not use it. */
export const AGENDADA_KEY_PREFIX = 'agendada:'

/** Key of a send that a client chose. A repeated key is the same message. */
export const idTemporarioSchema = idSchema.check(z.regex(/^(?!agendada:)/))

export const requiredTextSchema = z
  .string('Digite uma mensagem')
  .check(
    z.trim(),
    z.minLength(1, 'Digite uma mensagem'),
    z.maxLength(TEXTO_MAXIMO, 'A mensagem deve ter no máximo 4096 caracteres'),
  )

export const nomeSchema = z
  .string('Nome é obrigatório')
  .check(z.trim(), z.minLength(1, 'Nome é obrigatório'), z.maxLength(120, 'Nome deve ter no máximo 120 caracteres'))

/** Trimmed and lowercased, so that an address is one account in any letter case. */
export const emailSchema = z
  .string('Email é obrigatório')
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'Email é obrigatório'),
    z.maxLength(254, 'Email deve ter no máximo 254 caracteres'),
    z.email('Email inválido'),
  )

/** Length of a string in UTF-8 bytes. Does not use `TextEncoder`, because this package has no platform types. */
export function utf8Bytes(text: string): number {
  let total = 0
  for (const caractere of text) {
    const code = caractere.codePointAt(0) ?? 0
    if (code < 0x80) total += 1
    else if (code < 0x800) total += 2
    else if (code < 0x10000) total += 3
    else total += 4
  }
  return total
}

/** A new password. Never trimmed or normalised. */
export const newPasswordSchema = z.string('Senha deve ter pelo menos 6 caracteres').check(
  z.minLength(SENHA_MINIMO, 'Senha deve ter pelo menos 6 caracteres'),
  z.refine((password) => utf8Bytes(password) <= SENHA_MAXIMO_BYTES, 'Senha muito longa'),
)

/** A password to be checked. Only presence and size are validated. */
export const givenPasswordSchema = z.string('Senha é obrigatória').check(
  z.minLength(1, 'Senha é obrigatória'),
  z.refine((password) => utf8Bytes(password) <= SENHA_MAXIMO_BYTES, 'Senha muito longa'),
)

export const successSchema = z.object({ sucesso: z.literal(true) })

export const messageResponseSchema = z.object({ mensagem: z.string() })

import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { instantSchema, nomeSchema } from '#entities/common.ts'
import {
  codigoSchema,
  codigosRecuperacaoSchema,
  confirmarInputSchema,
  credencialSchema,
  desafioInputSchema,
  novaCredencialSchema,
  novoTotpSchema,
  opcoesNovaPasskeySchema,
  opcoesPasskeySchema,
  passkeySchema,
  segundoFatorInputSchema,
} from '#entities/identidade.ts'
import { loginResponseSchema } from './auth.ts'
import { idParamsSchema } from './common.ts'

/**
 * Second step of a login. A wrong proof is 403 `codigoIncorreto`; after five of them the `desafio` is 403
 * `desafioVencido`, as after five minutes.
 */
export const segundoFatorRoute = defineRoute({
  method: 'POST',
  path: '/auth/segundo-fator',
  permission: 'publico',
  body: segundoFatorInputSchema,
  response: loginResponseSchema,
  fallbackError: 'Erro ao entrar',
})

/**
 * Options for a passkey that the browser chooses: for `/auth/passkey/entrar`, and for the field `credencial` of the
 * second step and of a confirmation. Each works once and for five minutes.
 */
export const opcoesPasskeyRoute = defineRoute({
  method: 'POST',
  path: '/auth/passkey/opcoes',
  permission: 'publico',
  response: z.object({ desafio: z.string(), opcoes: opcoesPasskeySchema, expiraEm: instantSchema }),
  fallbackError: 'Erro ao preparar a chave de acesso',
})

/** Login without a password. `lembrar` as in `/auth/login`. */
export const entrarPasskeyRoute = defineRoute({
  method: 'POST',
  path: '/auth/passkey/entrar',
  permission: 'publico',
  body: z.object({ desafio: desafioInputSchema, credencial: credencialSchema, lembrar: z.optional(z.boolean()) }),
  response: loginResponseSchema,
  fallbackError: 'Erro ao entrar com a chave de acesso',
})

/** A new secret. It counts after `/auth/totp/confirmar`; until then an earlier one stays in force. */
export const iniciarTotpRoute = defineRoute({
  method: 'POST',
  path: '/auth/totp',
  permission: 'logado',
  enrolment: true,
  stepUp: true,
  response: novoTotpSchema,
  fallbackError: 'Erro ao preparar o aplicativo de códigos',
})

export const confirmarTotpRoute = defineRoute({
  method: 'POST',
  path: '/auth/totp/confirmar',
  permission: 'logado',
  enrolment: true,
  stepUp: true,
  body: z.object({ codigo: codigoSchema }),
  response: codigosRecuperacaoSchema,
  fallbackError: 'Erro ao ligar o aplicativo de códigos',
})

export const removerTotpRoute = defineRoute({
  method: 'DELETE',
  path: '/auth/totp',
  permission: 'logado',
  stepUp: true,
  fallbackError: 'Erro ao desligar o aplicativo de códigos',
})

export const passkeysRoute = defineRoute({
  method: 'GET',
  path: '/auth/passkeys',
  permission: 'logado',
  enrolment: true,
  response: z.object({ passkeys: z.array(passkeySchema) }),
  fallbackError: 'Erro ao carregar as chaves de acesso',
})

export const opcoesNovaPasskeyRoute = defineRoute({
  method: 'POST',
  path: '/auth/passkeys/opcoes',
  permission: 'logado',
  enrolment: true,
  stepUp: true,
  response: z.object({ opcoes: opcoesNovaPasskeySchema }),
  fallbackError: 'Erro ao preparar a chave de acesso',
})

/** `recuperacao` has ten codes when the person had none. */
export const criarPasskeyRoute = defineRoute({
  method: 'POST',
  path: '/auth/passkeys',
  permission: 'logado',
  enrolment: true,
  stepUp: true,
  body: z.object({ nome: nomeSchema, credencial: novaCredencialSchema }),
  response: z.object({ passkey: passkeySchema, recuperacao: z.optional(z.array(z.string())) }),
  status: 201,
  fallbackError: 'Erro ao guardar a chave de acesso',
})

export const removerPasskeyRoute = defineRoute({
  method: 'DELETE',
  path: '/auth/passkeys/:id',
  permission: 'logado',
  stepUp: true,
  params: idParamsSchema,
  fallbackError: 'Erro ao remover a chave de acesso',
})

/** Ten new codes; the old ones end. 409 `semSegundoFator` without a second factor. */
export const novosCodigosRoute = defineRoute({
  method: 'POST',
  path: '/auth/recuperacao',
  permission: 'logado',
  stepUp: true,
  response: codigosRecuperacaoSchema,
  fallbackError: 'Erro ao gerar os códigos de recuperação',
})

/** Confirms the person of this session for ten minutes. A wrong proof counts as a wrong login. */
export const confirmarRoute = defineRoute({
  method: 'POST',
  path: '/auth/confirmar',
  permission: 'logado',
  enrolment: true,
  body: confirmarInputSchema,
  status: 204,
  fallbackError: 'Erro ao confirmar a identidade',
})

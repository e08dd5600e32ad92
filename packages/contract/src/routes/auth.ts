import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { instantSchema, givenPasswordSchema } from '#entities/common.ts'
import { desafioSchema, segurancaUsuarioSchema } from '#entities/segundo-fator.ts'
import { politicaSenhaSchema } from '#entities/segundo-fator.ts'
import { meusDadosInputSchema, usuarioSchema } from '#entities/usuario.ts'

export const loginResponseSchema = z.object({
  token: z.string(),
  usuario: usuarioSchema,
  expiraEm: instantSchema,
  /** A second factor is demanded and missing: this session reaches only its enrolment. */
  cadastrarSegundoFator: z.optional(z.literal(true)),
})

/** 202 with a `desafio` for a person with a second factor; `/auth/segundo-fator` then answers with the session. */
export const loginRoute = defineRoute({
  method: 'POST',
  path: '/auth/login',
  permission: 'publico',
  body: z.object({
    email: z
      .string('Email é obrigatório')
      .check(z.trim(), z.toLowerCase(), z.minLength(1, 'Email é obrigatório'), z.maxLength(254)),
    senha: givenPasswordSchema,
    /** 'Lembrar-me': the session lasts 30 days instead of 12 hours. */
    lembrar: z.optional(z.boolean()),
  }),
  response: loginResponseSchema,
  accepted: desafioSchema,
  fallbackError: 'Erro ao fazer login',
})

export const opcoesRegistroRoute = defineRoute({
  method: 'GET',
  path: '/auth/opcoes',
  permission: 'publico',
  /** `suporteWhatsapp` holds the digits of the installation's support, or is empty. */
  response: z.object({
    permitirAutoRegistro: z.boolean(),
    suporteWhatsapp: z.string(),
    politicaSenha: politicaSenhaSchema,
    /** False: no mail server is configured, so no mail leaves. */
    email: z.boolean(),
  }),
  fallbackError: 'Erro ao carregar dados',
})

export const logoutRoute = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  permission: 'logado',
  enrolment: true,
  status: 204,
  fallbackError: 'Erro ao sair',
})

export const euRoute = defineRoute({
  method: 'GET',
  path: '/auth/eu',
  permission: 'logado',
  enrolment: true,
  response: z.object({ usuario: usuarioSchema, seguranca: segurancaUsuarioSchema }),
  fallbackError: 'Erro ao carregar dados',
})

/** The sockets of the person reconnect, so that presence and events carry the new name. */
export const salvarEuRoute = defineRoute({
  method: 'PUT',
  path: '/auth/eu',
  permission: 'logado',
  body: meusDadosInputSchema,
  response: z.object({ usuario: usuarioSchema }),
  fallbackError: 'Erro ao salvar os seus dados',
})

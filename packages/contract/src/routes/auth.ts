import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  emailSchema,
  instantSchema,
  messageResponseSchema,
  nomeSchema,
  newPasswordSchema,
  givenPasswordSchema,
} from '#entities/common.ts'
import { desafioSchema, segurancaUsuarioSchema } from '#entities/identidade.ts'
import { conviteSchema } from '#entities/operador.ts'
import { politicaSenhaSchema } from '#entities/admin.ts'
import { planoSchema, usuarioSchema } from '#entities/usuario.ts'

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

const optionalTextSchema = z._default(z.string().check(z.trim(), z.maxLength(120)), '')

/** Fields of the registration. Their order is the order of the issues; the panel shows the first one. */
export const signUpSchema = z.object({
  nome: nomeSchema,
  email: emailSchema,
  senha: newPasswordSchema,
  telefone: optionalTextSchema,
  empresa: optionalTextSchema,
})

export const registrarRoute = defineRoute({
  method: 'POST',
  path: '/auth/register',
  permission: 'publico',
  /** `planoDesejado` is a wish for the administrator. It changes neither plan nor limits. */
  body: z.extend(signUpSchema, { planoDesejado: z.optional(planoSchema) }),
  response: messageResponseSchema,
  status: 201,
  fallbackError: 'Erro ao registrar usuário',
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

/** The answer is the same for unknown e-mails, so that it does not reveal accounts. */
export const esqueciSenhaRoute = defineRoute({
  method: 'POST',
  path: '/auth/esqueci-senha',
  permission: 'publico',
  body: z.object({ email: emailSchema }),
  response: messageResponseSchema,
  status: 202,
  fallbackError: 'Erro ao pedir a redefinição de senha',
})

const linkTokenSchema = z
  .string('Link inválido')
  .check(z.minLength(1, 'Link inválido'), z.maxLength(200, 'Link inválido'))

/** Shown before the first password is chosen. 404: unknown link. 410: used or expired link. */
export const conviteRoute = defineRoute({
  method: 'GET',
  path: '/auth/convite',
  permission: 'publico',
  query: z.object({ token: linkTokenSchema }),
  response: conviteSchema,
  fallbackError: 'Erro ao abrir o convite',
})

export const redefinirSenhaRoute = defineRoute({
  method: 'POST',
  path: '/auth/redefinir-senha',
  permission: 'publico',
  body: z.object({
    token: linkTokenSchema,
    senha: newPasswordSchema,
  }),
  status: 204,
  fallbackError: 'Erro ao redefinir a senha',
})

export const trocarSenhaRoute = defineRoute({
  method: 'PUT',
  path: '/auth/senha',
  permission: 'logado',
  stepUp: true,
  body: z.object({ senhaAtual: givenPasswordSchema, novaSenha: newPasswordSchema }),
  status: 204,
  fallbackError: 'Erro ao alterar a senha',
})

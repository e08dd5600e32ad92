import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  emailSchema,
  instanteSchema,
  mensagemRespostaSchema,
  nomeSchema,
  novaSenhaSchema,
  senhaInformadaSchema,
} from '#entities/comum.ts'
import { conviteSchema } from '#entities/operador.ts'
import { usuarioSchema } from '#entities/usuario.ts'

export const loginRoute = defineRoute({
  method: 'POST',
  path: '/auth/login',
  permissao: 'publico',
  body: z.object({
    email: z
      .string('Email é obrigatório')
      .check(z.trim(), z.toLowerCase(), z.minLength(1, 'Email é obrigatório'), z.maxLength(254)),
    senha: senhaInformadaSchema,
    /** 'Lembrar-me': the session lasts 30 days instead of 12 hours. */
    lembrar: z.optional(z.boolean()),
  }),
  response: z.object({ token: z.string(), usuario: usuarioSchema, expiraEm: instanteSchema }),
  erroPadrao: 'Erro ao fazer login',
})

const textoCadastro = z._default(z.string().check(z.trim(), z.maxLength(120)), '')

/** Fields of the registration. Their order is the order of the issues; the panel shows the first one. */
export const cadastroSchema = z.object({
  nome: nomeSchema,
  email: emailSchema,
  senha: novaSenhaSchema,
  telefone: textoCadastro,
  empresa: textoCadastro,
})

export const registrarRoute = defineRoute({
  method: 'POST',
  path: '/auth/register',
  permissao: 'publico',
  body: cadastroSchema,
  response: mensagemRespostaSchema,
  status: 201,
  erroPadrao: 'Erro ao registrar usuário',
})

export const opcoesRegistroRoute = defineRoute({
  method: 'GET',
  path: '/auth/opcoes',
  permissao: 'publico',
  response: z.object({ permitirAutoRegistro: z.boolean() }),
  erroPadrao: 'Erro ao carregar dados',
})

export const logoutRoute = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  permissao: 'logado',
  status: 204,
  erroPadrao: 'Erro ao sair',
})

export const euRoute = defineRoute({
  method: 'GET',
  path: '/auth/eu',
  permissao: 'logado',
  response: z.object({ usuario: usuarioSchema }),
  erroPadrao: 'Erro ao carregar dados',
})

/** The answer is the same for unknown e-mails, so that it does not reveal accounts. */
export const esqueciSenhaRoute = defineRoute({
  method: 'POST',
  path: '/auth/esqueci-senha',
  permissao: 'publico',
  body: z.object({ email: emailSchema }),
  response: mensagemRespostaSchema,
  status: 202,
  erroPadrao: 'Erro ao pedir a redefinição de senha',
})

const tokenDoLink = z.string('Link inválido').check(z.minLength(1, 'Link inválido'), z.maxLength(200, 'Link inválido'))

/** Shown before the first password is chosen. 404: unknown link. 410: used or expired link. */
export const conviteRoute = defineRoute({
  method: 'GET',
  path: '/auth/convite',
  permissao: 'publico',
  query: z.object({ token: tokenDoLink }),
  response: conviteSchema,
  erroPadrao: 'Erro ao abrir o convite',
})

export const redefinirSenhaRoute = defineRoute({
  method: 'POST',
  path: '/auth/redefinir-senha',
  permissao: 'publico',
  body: z.object({
    token: tokenDoLink,
    senha: novaSenhaSchema,
  }),
  status: 204,
  erroPadrao: 'Erro ao redefinir a senha',
})

export const trocarSenhaRoute = defineRoute({
  method: 'PUT',
  path: '/auth/senha',
  permissao: 'logado',
  body: z.object({ senhaAtual: senhaInformadaSchema, novaSenha: novaSenhaSchema }),
  status: 204,
  erroPadrao: 'Erro ao alterar a senha',
})

import * as z from 'zod/mini'
import { ORDENS_USUARIOS } from '#administracao.ts'
import { defineRoute } from '#define-route.ts'
import { sucessoSchema } from '#entities/comum.ts'
import {
  componentesParciaisSchema,
  estatisticasUsuarioSchema,
  limiteMensagensDiaSchema,
  planoSchema,
  statusUsuarioSchema,
  usuarioAdminSchema,
} from '#entities/usuario.ts'
import { cadastroSchema } from './auth.ts'
import { idParamsSchema, paginaSchema, proximoCursorSchema } from './comum.ts'

const umUsuario = z.object({ usuario: usuarioAdminSchema })

export const usuariosRoute = defineRoute({
  method: 'GET',
  path: '/admin/usuarios',
  permissao: 'admin',
  /**
   * `busca` matches part of a name, e-mail, phone or company, ignoring accents. `excluido` lists only deleted users
   * that can still be restored. With `ordem` or `pagina` the answer has numbered pages from 1; otherwise it follows
   * the cursor, newest first.
   */
  query: z.extend(paginaSchema, {
    busca: z.optional(z.string().check(z.trim(), z.maxLength(120))),
    status: z.optional(z.enum([...statusUsuarioSchema.options, 'excluido'])),
    ordem: z.optional(z.enum(ORDENS_USUARIOS)),
    direcao: z.optional(z.enum(['asc', 'desc'])),
    pagina: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000))),
  }),
  /** `total` counts all pages. */
  response: z.object({ usuarios: z.array(usuarioAdminSchema), total: z.int(), proximoCursor: proximoCursorSchema }),
  erroPadrao: 'Erro ao carregar dados',
})

/** The new user is active immediately; no approval is needed. */
export const criarUsuarioRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios',
  permissao: 'admin',
  body: z.extend(cadastroSchema, {
    plano: z.optional(planoSchema),
    tipo: z.optional(z.enum(['admin', 'usuario'])),
  }),
  response: umUsuario,
  status: 201,
  erroPadrao: 'Erro ao criar conta',
})

/** Accepts `{status}` or `{ativo}`. A pair that contradicts itself is refused. */
const statusPedidoSchema = z
  .object({ status: z.optional(z.enum(['ativo', 'inativo'])), ativo: z.optional(z.boolean()) })
  .check((contexto) => {
    const { status, ativo } = contexto.value
    const mensagem =
      status === undefined && ativo === undefined
        ? 'Informe status ou ativo'
        : status !== undefined && ativo !== undefined && (status === 'ativo') !== ativo
          ? 'status e ativo se contradizem'
          : null
    if (mensagem !== null) {
      contexto.issues.push({ code: 'custom', input: contexto.value, path: ['status'], message: mensagem })
    }
  })

export function statusPedido(body: z.infer<typeof statusPedidoSchema>): 'ativo' | 'inativo' {
  return body.status ?? (body.ativo === true ? 'ativo' : 'inativo')
}

export const alterarStatusUsuarioRoute = defineRoute({
  method: 'PUT',
  path: '/admin/usuarios/:id/status',
  permissao: 'admin',
  params: idParamsSchema,
  body: statusPedidoSchema,
  response: umUsuario,
  erroPadrao: 'Erro ao atualizar status do usuário',
})

/** Stops the account immediately. It can be restored for 30 days; then a nightly job erases it. */
export const excluirUsuarioRoute = defineRoute({
  method: 'DELETE',
  path: '/admin/usuarios/:id',
  permissao: 'admin',
  params: idParamsSchema,
  response: sucessoSchema,
  erroPadrao: 'Erro ao excluir usuário',
})

/** Restores all users of the account with their data. Sessions stay ended and the bot stays stopped. */
export const restaurarUsuarioRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/restaurar',
  permissao: 'admin',
  params: idParamsSchema,
  response: umUsuario,
  erroPadrao: 'Erro ao restaurar usuário',
})

export const adminUsuarioEstatisticasRoute = defineRoute({
  method: 'GET',
  path: '/admin/usuarios/:id/estatisticas',
  permissao: 'admin',
  params: idParamsSchema,
  response: z.object({ sucesso: z.literal(true), estatisticas: estatisticasUsuarioSchema }),
  erroPadrao: 'Erro ao carregar dados',
})

export const limiteMensagensRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/limite-mensagens',
  permissao: 'admin',
  params: idParamsSchema,
  body: z.object({ limiteMensagensDia: limiteMensagensDiaSchema }),
  response: umUsuario,
  erroPadrao: 'Erro ao atualizar limite de mensagens',
})

/** Missing components keep their value. */
export const permissoesUsuarioRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/permissoes',
  permissao: 'admin',
  params: idParamsSchema,
  body: z.object({ componentesPermitidos: componentesParciaisSchema }),
  response: umUsuario,
  erroPadrao: 'Erro ao atualizar permissões do usuário',
})

/** Resets the count of the day. The total of the month stays. */
export const resetContadorRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/reset-contador',
  permissao: 'admin',
  params: idParamsSchema,
  response: umUsuario,
  erroPadrao: 'Erro ao resetar contador de mensagens',
})

export const planoUsuarioRoute = defineRoute({
  method: 'PUT',
  path: '/admin/usuarios/:id/plano',
  permissao: 'admin',
  params: idParamsSchema,
  body: z.object({ plano: planoSchema }),
  response: umUsuario,
  erroPadrao: 'Erro ao salvar alterações',
})

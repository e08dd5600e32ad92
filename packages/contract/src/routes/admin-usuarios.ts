import * as z from 'zod/mini'
import { ORDENS_USUARIOS } from '#administration.ts'
import { defineRoute } from '#define-route.ts'
import { successSchema } from '#entities/common.ts'
import { limiteLinhasSchema } from '#entities/linha.ts'
import {
  componentesPatchSchema,
  usuarioStatsSchema,
  limiteMensagensDiaSchema,
  planoSchema,
  statusUsuarioSchema,
  usuarioAdminSchema,
} from '#entities/usuario.ts'
import { signUpSchema } from './cadastro.ts'
import { idParamsSchema, pageSchema, nextCursorSchema } from './common.ts'

const usuarioResponse = z.object({ usuario: usuarioAdminSchema })

export const usuariosRoute = defineRoute({
  method: 'GET',
  path: '/admin/usuarios',
  permission: 'admin',
  /**
   * `busca` matches part of a name, e-mail, phone or company, ignoring accents. `excluido` lists only deleted users
   * that can still be restored. With `ordem` or `pagina` the answer has numbered pages from 1; otherwise it follows
   * the cursor, newest first.
   */
  query: z.extend(pageSchema, {
    busca: z.optional(z.string().check(z.trim(), z.maxLength(120))),
    status: z.optional(z.enum([...statusUsuarioSchema.options, 'excluido'])),
    ordem: z.optional(z.enum(ORDENS_USUARIOS)),
    direcao: z.optional(z.enum(['asc', 'desc'])),
    pagina: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100_000))),
  }),
  /** `total` counts all pages. */
  response: z.object({ usuarios: z.array(usuarioAdminSchema), total: z.int(), proximoCursor: nextCursorSchema }),
  fallbackError: 'Erro ao carregar dados',
})

/** The new user is active immediately; no approval is needed. */
export const criarUsuarioRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios',
  permission: 'admin',
  body: z.extend(signUpSchema, {
    plano: z.optional(planoSchema),
    tipo: z.optional(z.enum(['admin', 'usuario'])),
  }),
  response: usuarioResponse,
  status: 201,
  fallbackError: 'Erro ao criar conta',
})

/** Accepts `{status}` or `{ativo}`. A pair that contradicts itself is refused. */
const requestedStatusSchema = z
  .object({ status: z.optional(z.enum(['ativo', 'inativo'])), ativo: z.optional(z.boolean()) })
  .check((context) => {
    const { status, ativo } = context.value
    const mensagem =
      status === undefined && ativo === undefined
        ? 'Informe status ou ativo'
        : status !== undefined && ativo !== undefined && (status === 'ativo') !== ativo
          ? 'status e ativo se contradizem'
          : null
    if (mensagem !== null) {
      context.issues.push({ code: 'custom', input: context.value, path: ['status'], message: mensagem })
    }
  })

export function requestedStatus(body: z.infer<typeof requestedStatusSchema>): 'ativo' | 'inativo' {
  return body.status ?? (body.ativo === true ? 'ativo' : 'inativo')
}

export const alterarStatusUsuarioRoute = defineRoute({
  method: 'PUT',
  path: '/admin/usuarios/:id/status',
  permission: 'admin',
  params: idParamsSchema,
  body: requestedStatusSchema,
  response: usuarioResponse,
  fallbackError: 'Erro ao atualizar status do usuário',
})

/** Stops the account immediately. It can be restored for 30 days; then a nightly job erases it. */
export const excluirUsuarioRoute = defineRoute({
  method: 'DELETE',
  path: '/admin/usuarios/:id',
  permission: 'admin',
  stepUp: true,
  params: idParamsSchema,
  response: successSchema,
  fallbackError: 'Erro ao excluir usuário',
})

/** Restores all users of the account with their data. Sessions stay ended and the bot stays stopped. */
export const restaurarUsuarioRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/restaurar',
  permission: 'admin',
  stepUp: true,
  params: idParamsSchema,
  response: usuarioResponse,
  fallbackError: 'Erro ao restaurar usuário',
})

export const adminUsuarioEstatisticasRoute = defineRoute({
  method: 'GET',
  path: '/admin/usuarios/:id/estatisticas',
  permission: 'admin',
  params: idParamsSchema,
  response: z.object({ sucesso: z.literal(true), estatisticas: usuarioStatsSchema }),
  fallbackError: 'Erro ao carregar dados',
})

export const limiteLinhasRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/limite-linhas',
  permission: 'admin',
  params: idParamsSchema,
  body: z.object({ limiteLinhas: limiteLinhasSchema }),
  response: usuarioResponse,
  fallbackError: 'Erro ao atualizar limite de linhas',
})

export const limiteMensagensRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/limite-mensagens',
  permission: 'admin',
  params: idParamsSchema,
  body: z.object({ limiteMensagensDia: limiteMensagensDiaSchema }),
  response: usuarioResponse,
  fallbackError: 'Erro ao atualizar limite de mensagens',
})

/** Missing components keep their value. */
export const permissoesUsuarioRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/permissoes',
  permission: 'admin',
  params: idParamsSchema,
  body: z.object({ componentesPermitidos: componentesPatchSchema }),
  response: usuarioResponse,
  fallbackError: 'Erro ao atualizar permissões do usuário',
})

/** Resets the count of the day. The total of the month stays. */
export const resetContadorRoute = defineRoute({
  method: 'POST',
  path: '/admin/usuarios/:id/reset-contador',
  permission: 'admin',
  params: idParamsSchema,
  response: usuarioResponse,
  fallbackError: 'Erro ao resetar contador de mensagens',
})

export const planoUsuarioRoute = defineRoute({
  method: 'PUT',
  path: '/admin/usuarios/:id/plano',
  permission: 'admin',
  params: idParamsSchema,
  body: z.object({ plano: planoSchema }),
  response: usuarioResponse,
  fallbackError: 'Erro ao salvar alterações',
})

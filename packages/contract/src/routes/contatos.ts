import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema } from '#entities/common.ts'
import { contatoInputSchema, contatoPatchSchema, contatoSchema, importacaoSchema } from '#entities/contato.ts'
import { idParamsSchema, listCursorSchema, listQuerySchema } from './common.ts'

const contatoResponse = z.object({ contato: contatoSchema })

/**
 * In order of the names; contatos without a name are last. `busca` matches name, phone and user name. Accents, case,
 * punctuation, country code and ninth digit are ignored.
 */
export const contatosRoute = defineRoute({
  method: 'GET',
  path: '/contatos',
  permission: 'atendimentoHumano',
  query: z.extend(listQuerySchema, {
    busca: z.optional(z.string().check(z.maxLength(120))),
    etiqueta: z.optional(idSchema),
  }),
  response: z.object({ contatos: z.array(contatoSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar contatos',
})

export const contatoRoute = defineRoute({
  method: 'GET',
  path: '/contatos/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: contatoResponse,
  fallbackError: 'Erro ao carregar o contato',
})

/** Throws `contatoExiste` with `contatoId` for a known number, and `contatoApagado` with `conferirApagado`. */
export const criarContatoRoute = defineRoute({
  method: 'POST',
  path: '/contatos',
  permission: 'atendimentoHumano',
  body: contatoInputSchema,
  response: contatoResponse,
  status: 201,
  fallbackError: 'Erro ao criar o contato',
})

export const atualizarContatoRoute = defineRoute({
  method: 'PUT',
  path: '/contatos/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: contatoPatchSchema,
  response: contatoResponse,
  fallbackError: 'Erro ao salvar o contato',
})

/** CSV of all contatos in UTF-8 with BOM and `;`. An apostrophe keeps texts from being read as formulas. */
export const exportarContatosRoute = defineRoute({
  method: 'GET',
  path: '/contatos/exportar',
  permission: 'atendimentoHumano',
  stepUp: true,
  deniesOperators: true,
  response: z.string(),
  responseType: 'text/csv',
  fallbackError: 'Erro ao exportar contatos',
})

/**
 * CSV or vCard of at most 5 MB and 50,000 rows in `arquivo`, as `multipart/form-data`. All or nothing. A row of a known
 * number adds its etiquetas and replaces name and observação, unless they are empty. `simular` writes nothing.
 */
export const importarContatosRoute = defineRoute({
  method: 'POST',
  path: '/contatos/importar',
  permission: 'atendimentoHumano',
  deniesOperators: true,
  query: z.object({ simular: z._default(z.enum(['true', 'false']), 'false') }),
  bodyType: 'multipart',
  response: importacaoSchema,
  fallbackError: 'Erro ao importar contatos',
})

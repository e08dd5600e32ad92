import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { fonteSchema, trechoLidoSchema, trechoSchema } from '#entities/fonte.ts'
import { idParamsSchema, listCursorSchema, listQuerySchema } from './common.ts'

const fonteResponse = z.object({ fonte: fonteSchema })

/** Newest first. */
export const fontesRoute = defineRoute({
  method: 'GET',
  path: '/ia/fontes',
  permission: 'iaChatbot',
  query: listQuerySchema,
  response: z.object({ fontes: z.array(fonteSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar as fontes',
})

/**
 * JSON of `fonteInputSchema`, or a form with the file in the field `arquivo` (PDF, DOCX, TXT, CSV or HTML, up to 10 MB)
 * and the fields of `arquivoFonteInputSchema`. The source is read later: `fonteMudou` reports the end, which is `falhou`
 * for a file of another kind. Throws `arquivoGrande` and `limiteFontes`.
 */
export const criarFonteRoute = defineRoute({
  method: 'POST',
  path: '/ia/fontes',
  permission: 'iaChatbot',
  deniesOperators: true,
  bodyType: 'multipart',
  response: fonteResponse,
  status: 202,
  fallbackError: 'Erro ao criar a fonte',
})

/** Until the end of the reading the pieces of the last one are used. */
export const relerFonteRoute = defineRoute({
  method: 'POST',
  path: '/ia/fontes/:id/reler',
  permission: 'iaChatbot',
  deniesOperators: true,
  params: idParamsSchema,
  response: fonteResponse,
  status: 202,
  fallbackError: 'Erro ao ler a fonte de novo',
})

/** With its pieces, their vectors and the parts of kept answers that quote them. */
export const excluirFonteRoute = defineRoute({
  method: 'DELETE',
  path: '/ia/fontes/:id',
  permission: 'iaChatbot',
  deniesOperators: true,
  params: idParamsSchema,
  fallbackError: 'Erro ao excluir a fonte',
})

/** In the order of the source. */
export const trechosFonteRoute = defineRoute({
  method: 'GET',
  path: '/ia/fontes/:id/trechos',
  permission: 'iaChatbot',
  params: idParamsSchema,
  query: listQuerySchema,
  response: z.object({ trechos: z.array(trechoLidoSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar os trechos',
})

/** The pieces that the assistant would read for this question, best first, at most 8. Works without an API key. */
export const buscarTrechosRoute = defineRoute({
  method: 'POST',
  path: '/ia/buscar',
  permission: 'iaChatbot',
  body: z.object({
    pergunta: z
      .string('Digite uma pergunta')
      .check(
        z.trim(),
        z.minLength(1, 'Digite uma pergunta'),
        z.maxLength(4096, 'A pergunta deve ter no máximo 4096 caracteres'),
      ),
  }),
  response: z.object({ trechos: z.array(trechoSchema) }),
  fallbackError: 'Erro ao buscar nas fontes',
})

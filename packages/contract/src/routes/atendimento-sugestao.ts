import { defineRoute } from '#define-route.ts'
import { sugestaoSchema } from '#entities/sugestao.ts'
import { idParamsSchema } from './common.ts'

/**
 * Writes a draft answer to the last messages of the customer. Nothing is sent or stored. At most 10 a minute for each
 * person. Throws `semSugestao` when nothing of the shop supports an answer, `iaSemChave`, `iaDesligada` and `iaFalhou`.
 */
export const sugerirRespostaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/sugestao',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: sugestaoSchema,
  fallbackError: 'Erro ao sugerir resposta',
})

import { enviarMidiaRoute } from '@balcao/contract/routes/midias'
import { type BoundRoute, bind } from '#http/handle.ts'
import { parseMidiaForm } from './parse-form.ts'
import { sendMidia, type SendMidiaDeps } from './send-midia.ts'

export function midiasRoutes(deps: SendMidiaDeps): BoundRoute[] {
  return [
    bind(enviarMidiaRoute, async ({ sessao, params, request }) =>
      sendMidia(deps, sessao, { conversaId: params.id, ...(await parseMidiaForm(request, sessao.contaId)) }),
    ),
  ]
}

import { enviarMidiaRoute } from '@balcao/contract/routes/midias'
import { type BoundRoute, bind } from '#http/handle.ts'
import { enviarMidia, type EnviarMidiaDeps } from './enviar-midia.ts'
import { lerMidia } from './ler-formulario.ts'

export function midiasRoutes(deps: EnviarMidiaDeps): BoundRoute[] {
  return [
    bind(enviarMidiaRoute, async ({ sessao, params, request }) =>
      enviarMidia(deps, sessao, { conversaId: params.id, ...(await lerMidia(request)) }),
    ),
  ]
}

import {
  cancelarPushRoute,
  chavePushRoute,
  inscreverPushRoute,
  inscricoesPushRoute,
  preferenciasPushRoute,
  salvarPreferenciasPushRoute,
  testarPushRoute,
} from '@balcao/contract/routes/push'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { readVapidKeys } from '#modules/usuarios/index.ts'
import { queueTest } from './notices.ts'
import { readPushPreferences, savePushPreferences } from './preferences.ts'
import { cancelSubscription, listSubscriptions, subscribe } from './subscriptions.ts'

export function pushRoutes(deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'push' | 'log'>): BoundRoute[] {
  return [
    bind(chavePushRoute, async () => ({ chavePublica: (await readVapidKeys(deps)).publicKey })),
    bind(inscreverPushRoute, async ({ sessao, body }) => ({ id: await subscribe(deps, sessao, body) })),
    bind(inscricoesPushRoute, async ({ sessao }) => ({
      inscricoes: await listSubscriptions(deps, sessao),
      proximoCursor: null,
    })),
    bind(cancelarPushRoute, ({ sessao, params }) => cancelSubscription(deps, sessao, params.id)),
    bind(testarPushRoute, async ({ sessao }) => {
      await queueTest(deps, sessao)
      return { sucesso: true as const }
    }),
    bind(preferenciasPushRoute, ({ sessao }) => readPushPreferences(deps, sessao)),
    bind(salvarPreferenciasPushRoute, ({ sessao, body }) => savePushPreferences(deps, sessao, body)),
  ]
}

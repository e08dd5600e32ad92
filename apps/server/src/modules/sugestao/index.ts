import { sugerirRespostaRoute } from '@balcao/contract/routes/atendimento-sugestao'
import { type BoundRoute, bind } from '#http/handle.ts'
import { type SuggestDeps, suggestReply } from './suggest.ts'

export { readBrief } from './brief.ts'

export function suggestionRoutes(deps: SuggestDeps): BoundRoute[] {
  return [bind(sugerirRespostaRoute, ({ sessao, params: { id } }) => suggestReply(deps, sessao, id))]
}

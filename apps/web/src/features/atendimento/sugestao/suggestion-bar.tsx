import type { FonteDaSugestao } from '@balcao/contract/entities/sugestao'
import { Sparkles, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { Spinner } from '#shared/ui/spinner.tsx'
import type { Suggestion, SuggestionState } from './use-suggestion.ts'

function Sources({ fontes }: { fontes: readonly FonteDaSugestao[] }) {
  return (
    <>
      <span className="block font-semibold">Sugestão da IA: confira antes de enviar.</span>
      <span className="block text-muted">Com base em: {fontes.map(({ titulo }) => titulo).join('; ')}.</span>
    </>
  )
}

function contentOf(state: SuggestionState): ReactNode {
  switch (state.tipo) {
    case 'asking':
      return (
        <span className="flex items-center gap-2 text-muted">
          <Spinner tamanho={14} /> Escrevendo uma sugestão…
        </span>
      )
    case 'shown':
      return <Sources fontes={state.fontes} />
    case 'failed':
      return state.message
    default:
      return state satisfies never
  }
}

const CLOSE_LABEL = { asking: 'Parar a sugestão', shown: 'Fechar as fontes', failed: 'Fechar o aviso' } as const

/** The sources of a suggestion, or the reason why there is none. */
export function SuggestionBar({ state, suggestion }: { state: SuggestionState; suggestion: Suggestion }) {
  const { ask, undo, dismiss } = suggestion
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-2 rounded-lg bg-sunken pl-3 text-sm" data-sugestao>
      <Sparkles size={16} aria-hidden className="flex-none text-brand-ink" />
      <p role="status" className="min-w-40 flex-1 py-1.5 break-words">
        {contentOf(state)}
      </p>
      <span className="ml-auto flex flex-none items-center">
        {state.tipo === 'shown' && (
          <Button variant="ghost" size="touch" onClick={undo}>
            {state.before === '' ? 'Desfazer' : 'Voltar ao meu texto'}
          </Button>
        )}
        {state.tipo === 'failed' && state.mayRetry && ask !== undefined && (
          <Button variant="ghost" size="touch" onClick={ask}>
            Tentar de novo
          </Button>
        )}
        <IconButton
          label={CLOSE_LABEL[state.tipo]}
          tooltip={false}
          size="touch"
          icon={<X size={18} aria-hidden />}
          onClick={dismiss}
        />
      </span>
    </div>
  )
}

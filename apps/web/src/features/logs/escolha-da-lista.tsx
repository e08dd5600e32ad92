import { type KeyboardEvent, useRef } from 'react'

export type LogListId = 'logs' | 'mensagens'

const LOG_LISTS: readonly { readonly qual: LogListId; readonly rotulo: string }[] = [
  { qual: 'logs', rotulo: 'Logs' },
  { qual: 'mensagens', rotulo: 'Mensagens' },
]

export interface LogListChoiceProps {
  readonly current: LogListId
  readonly onChoose: (qual: LogListId) => void
}

export const logTabId = (list: LogListId): string => `lista-${list}-aba`
export const LOG_PANEL_ID = 'lista-painel'

export function LogListChoice({ current, onChoose }: LogListChoiceProps) {
  const caixa = useRef<HTMLDivElement>(null)
  const andar = (evento: KeyboardEvent): void => {
    if (evento.key !== 'ArrowLeft' && evento.key !== 'ArrowRight') return
    evento.preventDefault()
    const outra: LogListId = current === 'logs' ? 'mensagens' : 'logs'
    onChoose(outra)
    caixa.current?.querySelector<HTMLElement>(`#${logTabId(outra)}`)?.focus()
  }
  return (
    <div ref={caixa} role="tablist" aria-label="O que ver" className="flex gap-1">
      {LOG_LISTS.map(({ qual, rotulo }) => (
        <button
          key={qual}
          id={logTabId(qual)}
          type="button"
          role="tab"
          aria-selected={qual === current}
          aria-controls={LOG_PANEL_ID}
          tabIndex={qual === current ? 0 : -1}
          onClick={() => onChoose(qual)}
          onKeyDown={andar}
          className={`min-h-11 border-b-2 px-4 font-semibold ${qual === current ? 'border-brand text-ink' : 'border-transparent text-muted'}`}
        >
          {rotulo}
        </button>
      ))}
    </div>
  )
}

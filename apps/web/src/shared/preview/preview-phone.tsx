import { type KeyboardEvent, useId, useRef } from 'react'
import { PreviewMessages } from './preview-messages.tsx'
import type { Preview, PreviewShortcut } from './use-preview.ts'
import type { Scenario } from './scenario.ts'

const SCENARIOS: readonly { valor: Scenario; rotulo: string }[] = [
  { valor: 'dentro', rotulo: 'Dentro do horário' },
  { valor: 'fora', rotulo: 'Fora do horário' },
]

function ScenarioSwitch({ valor, onMudar }: { valor: Scenario; onMudar: (scenario: Scenario) => void }) {
  const nome = useId()
  return (
    <fieldset className="mb-3 flex rounded-xl border border-line bg-sunken p-1 text-[0.85rem] font-semibold">
      <legend className="sr-only">Cenário da simulação</legend>
      {SCENARIOS.map((scenario) => (
        <label
          key={scenario.valor}
          className="relative grid min-h-8 flex-1 cursor-pointer place-items-center rounded-lg px-2 text-center text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-brand-ink"
        >
          <input
            type="radio"
            name={nome}
            className="absolute inset-0 cursor-pointer appearance-none"
            checked={valor === scenario.valor}
            onChange={() => onMudar(scenario.valor)}
          />
          {scenario.rotulo}
        </label>
      ))}
    </fieldset>
  )
}

/** Drawn here because the icon library would weigh more than the whole conversation on the landing page. */

const STROKE = {
  width: 18,
  height: 18,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
} as const

function SendIcon() {
  return (
    <svg {...STROKE}>
      <path d="M4 5l17 7-17 7 3-7-3-7zM7 12h14" />
    </svg>
  )
}

function RestartIcon() {
  return (
    <svg {...STROKE}>
      <path d="M4 4v5h5M4.6 9A8.5 8.5 0 1 1 3.5 13" />
    </svg>
  )
}

/*
 * Live preview of the bot; `usePreview` gives the `preview`. `destaque` is the number of the highlighted option
 * (null: none). The callback receives the option under pointer or focus, and null when it leaves.
 */

export interface PreviewPhoneProps {
  readonly preview: Preview
  readonly highlighted?: string | null
  readonly onOptionHighlighted?: (numero: string | null) => void
  readonly withScenario?: boolean
}

export function PreviewPhone({
  preview,
  highlighted = null,
  onOptionHighlighted,
  withScenario = true,
}: PreviewPhoneProps) {
  'use no memo'
  return (
    <section aria-label={`Simulador da conversa com ${preview.empresa}`} className="mx-auto w-full max-w-[22rem]">
      {withScenario && <ScenarioSwitch valor={preview.scenario} onMudar={preview.setScenario} />}
      <div className="overflow-hidden rounded-[2.2rem] border-[7px] border-[oklch(0.23_0.022_168)] bg-surface shadow-pop dark:border-line">
        <PhoneHeader preview={preview} />
        <PreviewMessages preview={preview} highlighted={highlighted} onOptionHighlighted={onOptionHighlighted} />
        <div className="border-t border-line px-3 pt-2.5 pb-3">
          <Shortcuts preview={preview} highlighted={highlighted} onOptionHighlighted={onOptionHighlighted} />
          <PreviewComposer preview={preview} />
        </div>
      </div>
    </section>
  )
}

function PhoneHeader({ preview: { empresa, typing, withPerson, restart } }: { preview: Preview }) {
  'use no memo'
  const situation = withPerson ? 'com uma pessoa · o bot espera' : 'bot · responde na hora'
  return (
    <div className="flex items-center gap-3 border-b border-line py-2.5 pr-2 pl-4">
      <span
        aria-hidden
        className="grid size-10 flex-none place-items-center rounded-full bg-brand font-bold text-on-brand"
      >
        {empresa.trim().slice(0, 1).toUpperCase()}
      </span>
      <div className="min-w-0 flex-1 leading-tight">
        <p className="truncate font-bold">{empresa}</p>
        <p className="truncate text-xs text-muted">{typing ? 'digitando…' : situation}</p>
      </div>
      <button type="button" className="btn btn-ghost btn-icon" aria-label="Recomeçar a conversa" onClick={restart}>
        <RestartIcon />
      </button>
    </div>
  )
}

interface HighlightProps {
  readonly preview: Preview
  readonly highlighted: string | null
  readonly onOptionHighlighted: ((numero: string | null) => void) | undefined
}

const SHORTCUT_CLASS = 'min-h-9 rounded-full border px-3 text-sm font-bold max-sm:min-h-11'

function Shortcuts({ preview, highlighted, onOptionHighlighted }: HighlightProps) {
  'use no memo'
  if (preview.withPerson) {
    return (
      <div className="flex min-h-9 flex-wrap gap-1.5">
        <button type="button" className={`${SHORTCUT_CLASS} border-line-strong`} onClick={preview.finishAtendimento}>
          Finalizar atendimento
        </button>
      </div>
    )
  }
  const destacar = (numero: string | null) => () => onOptionHighlighted?.(numero)
  return (
    <fieldset
      aria-label="Respostas rápidas"
      className="flex max-h-20 min-h-9 flex-wrap max-sm:max-h-24 gap-1.5 overflow-y-auto"
    >
      {preview.shortcuts.map((atalho: PreviewShortcut, index) => (
        <button
          // In a draft two options may have the same number.
          // oxlint-disable-next-line react/no-array-index-key -- a line of a transcript never moves
          key={index}
          type="button"
          data-enviar={atalho.text}
          aria-label={atalho.label}
          title={atalho.label}
          className={`${SHORTCUT_CLASS} min-w-9 max-sm:min-w-11 ${
            atalho.optionNumber !== null && atalho.optionNumber === highlighted
              ? 'border-brand bg-brand-soft text-brand-ink'
              : 'border-line-strong hover:bg-brand-soft'
          }`}
          onClick={() => preview.send(atalho.text)}
          onMouseEnter={destacar(atalho.optionNumber)}
          onMouseLeave={destacar(null)}
          onFocus={destacar(atalho.optionNumber)}
          onBlur={destacar(null)}
        >
          {atalho.text}
        </button>
      ))}
    </fieldset>
  )
}

function PreviewComposer({ preview: { send, resend, skip } }: { preview: Preview }) {
  'use no memo'
  // Uncontrolled, so that text typed before hydration is kept.
  const field = useRef<HTMLInputElement>(null)
  const aoTeclar = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Escape') skip()
    if (event.key !== 'ArrowUp' || event.currentTarget.value !== '') return
    event.preventDefault()
    resend()
  }
  return (
    <form
      className="mt-2.5 flex gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (field.current === null) return
        send(field.current.value)
        field.current.value = ''
      }}
    >
      <input
        ref={field}
        type="text"
        autoComplete="off"
        enterKeyHint="send"
        maxLength={4096}
        aria-label="Teste como cliente"
        aria-keyshortcuts="ArrowUp"
        placeholder="Teste como cliente"
        className="field min-w-0 flex-1 rounded-full text-base"
        onKeyDown={aoTeclar}
      />
      <button type="submit" aria-label="Enviar" className="btn btn-primary btn-icon rounded-full">
        <SendIcon />
      </button>
    </form>
  )
}

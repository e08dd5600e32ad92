import { useRef, type KeyboardEvent } from 'react'
import { CenarioSwitch } from './cenario-switch.tsx'
import { Conversa } from './conversa.tsx'
import { IconeEnviar, IconeRecomecar } from './icones.tsx'
import type { Atalho, Preview } from './use-preview.ts'

/*
 * Live preview of the bot; `usePreview` gives the `preview`. `destaque` is the number of the highlighted option
 * (null: none). The callback receives the option under pointer or focus, and null when it leaves.
 */

export interface PreviewPhoneProps {
  readonly preview: Preview
  readonly destaque?: string | null
  readonly onOpcaoDestacada?: (numero: string | null) => void
  /** Shows the switch 'Dentro / Fora do horário' over the phone. Default: true. */
  readonly comCenario?: boolean
}

export function PreviewPhone({ preview, destaque = null, onOpcaoDestacada, comCenario = true }: PreviewPhoneProps) {
  'use no memo'
  return (
    <section aria-label={`Simulador da conversa com ${preview.empresa}`} className="mx-auto w-full max-w-[22rem]">
      {comCenario && <CenarioSwitch valor={preview.cenario} onMudar={preview.setCenario} />}
      <div className="overflow-hidden rounded-[2.2rem] border-[7px] border-[oklch(0.23_0.022_168)] bg-surface shadow-pop dark:border-line">
        <Cabecalho preview={preview} />
        <Conversa preview={preview} destaque={destaque} onOpcaoDestacada={onOpcaoDestacada} />
        <div className="border-t border-line px-3 pt-2.5 pb-3">
          <Atalhos preview={preview} destaque={destaque} onOpcaoDestacada={onOpcaoDestacada} />
          <Compositor preview={preview} />
        </div>
      </div>
    </section>
  )
}

function Cabecalho({ preview: { empresa, digitando, comPessoa, restart } }: { preview: Preview }) {
  'use no memo'
  const situacao = comPessoa ? 'com uma pessoa · o bot espera' : 'bot · responde na hora'
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
        <p className="truncate text-xs text-muted">{digitando ? 'digitando…' : situacao}</p>
      </div>
      <button type="button" className="btn btn-ghost btn-icon" aria-label="Recomeçar a conversa" onClick={restart}>
        <IconeRecomecar />
      </button>
    </div>
  )
}

interface DestaqueProps {
  readonly preview: Preview
  readonly destaque: string | null
  readonly onOpcaoDestacada: ((numero: string | null) => void) | undefined
}

const ATALHO = 'min-h-9 rounded-full border px-3 text-sm font-bold'

function Atalhos({ preview, destaque, onOpcaoDestacada }: DestaqueProps) {
  'use no memo'
  if (preview.comPessoa) {
    return (
      <div className="flex min-h-9 flex-wrap gap-1.5">
        <button type="button" className={`${ATALHO} border-line-strong`} onClick={preview.finalizarAtendimento}>
          Finalizar atendimento
        </button>
      </div>
    )
  }
  const destacar = (numero: string | null) => () => onOpcaoDestacada?.(numero)
  return (
    <fieldset aria-label="Respostas rápidas" className="flex max-h-20 min-h-9 flex-wrap gap-1.5 overflow-y-auto">
      {preview.atalhos.map((atalho: Atalho, indice) => (
        <button
          // In a draft two options may have the same number.
          // oxlint-disable-next-line react/no-array-index-key -- a line of a transcript never moves
          key={indice}
          type="button"
          data-enviar={atalho.texto}
          aria-label={atalho.rotulo}
          title={atalho.rotulo}
          className={`${ATALHO} min-w-9 ${
            atalho.numero !== null && atalho.numero === destaque
              ? 'border-brand bg-brand-soft text-brand-ink'
              : 'border-line-strong hover:bg-brand-soft'
          }`}
          onClick={() => preview.send(atalho.texto)}
          onMouseEnter={destacar(atalho.numero)}
          onMouseLeave={destacar(null)}
          onFocus={destacar(atalho.numero)}
          onBlur={destacar(null)}
        >
          {atalho.texto}
        </button>
      ))}
    </fieldset>
  )
}

function Compositor({ preview: { send, resend, skip } }: { preview: Preview }) {
  'use no memo'
  // Uncontrolled, so that text typed before hydration is kept.
  const campo = useRef<HTMLInputElement>(null)
  const aoTeclar = (evento: KeyboardEvent<HTMLInputElement>): void => {
    if (evento.key === 'Escape') skip()
    if (evento.key !== 'ArrowUp' || evento.currentTarget.value !== '') return
    evento.preventDefault()
    resend()
  }
  return (
    <form
      className="mt-2.5 flex gap-2"
      onSubmit={(evento) => {
        evento.preventDefault()
        if (campo.current === null) return
        send(campo.current.value)
        campo.current.value = ''
      }}
    >
      <input
        ref={campo}
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
        <IconeEnviar />
      </button>
    </form>
  )
}

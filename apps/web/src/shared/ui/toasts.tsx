import { AVISO } from '@balcao/contract/constants'
import { CircleAlert, CircleCheck, Info, LoaderCircle, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useToaster } from 'react-hot-toast/headless'
import { type Aviso, dismissAviso, type AvisoTipo, useAvisos } from '#shared/avisos.ts'
import { isTypingOrInDialog } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'

const ICON: Readonly<Record<AvisoTipo, typeof Info>> = {
  sucesso: CircleCheck,
  erro: CircleAlert,
  info: Info,
  carregando: LoaderCircle,
}
const COLOR: Readonly<Record<AvisoTipo, string>> = {
  sucesso: 'text-brand',
  erro: 'text-danger-ink',
  info: 'text-info-ink',
  carregando: 'text-muted animate-spin',
}

/** On a phone more would cover the page. The rest is shown as a number. */
const ON_PHONE = 3

/** Ctrl Z ignores older actions, which the user may have forgotten. The Central still offers them by name. */
const UNDO_WINDOW_MS = 60_000
const UNDO_LABEL = 'Desfazer'

function undoLatest(avisos: readonly Aviso[]): void {
  const last = avisos.find(({ action }) => action?.label === UNDO_LABEL)
  if (last !== undefined && Date.now() - last.at < UNDO_WINDOW_MS) last.action?.run()
}

/** Publishes the height as a CSS variable, so that pages leave room. */
function usePublishedHeight(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const target = element.current
    if (target === null) return
    const root = document.documentElement.style
    const measure = new ResizeObserver(() => root.setProperty('--avisos', `${target.offsetHeight}px`))
    measure.observe(target, { box: 'border-box' })
    return () => {
      measure.disconnect()
      root.removeProperty('--avisos')
    }
  }, [element])
}

function useToastKeys(region: RefObject<HTMLElement | null>, avisos: readonly Aviso[]): void {
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey } = event
      if (key === 'F6') region.current?.querySelector('button')?.focus()
      // Text fields have their own undo.
      if (key !== 'z' || !(ctrlKey || metaKey) || shiftKey || isTypingOrInDialog(event)) return
      event.preventDefault()
      undoLatest(avisos)
    }
    addEventListener('keydown', handle)
    return () => removeEventListener('keydown', handle)
  }, [region, avisos])
}

export function Toasts() {
  const { toasts, handlers } = useToaster()
  const avisos = useAvisos()
  const region = useRef<HTMLDivElement>(null)
  const onScreen = useMediaQuery('(min-width: 40rem)') ? AVISO.limite : ON_PHONE
  usePublishedHeight(region)
  useToastKeys(region, avisos)
  // Notices of a person who logged out are hidden, although their timers still run.
  const visible = toasts.flatMap((toast) => (toast.visible ? (avisos.find(({ id }) => id === toast.id) ?? []) : []))
  return (
    <div
      ref={region}
      role="region"
      aria-label="Avisos"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      className="avisos fixed z-50 flex flex-col gap-2"
    >
      {visible.length > onScreen && (
        <p className="self-start rounded-full bg-ink px-3 py-1 text-xs font-semibold text-surface shadow-pop">
          Mais {visible.length - onScreen} na Central de avisos
        </p>
      )}
      {visible.slice(0, onScreen).map((aviso) => (
        <Toast key={aviso.id} aviso={aviso} />
      ))}
    </div>
  )
}

function Toast({ aviso }: { aviso: Aviso }) {
  const { id, tipo, text, action } = aviso
  const Icon = ICON[tipo]
  return (
    <div
      role={tipo === 'erro' ? 'alert' : 'status'}
      className="rise flex items-start gap-2 rounded-xl border border-line bg-surface p-3 shadow-pop"
    >
      <Icon size={20} aria-hidden className={`mt-0.5 flex-none ${COLOR[tipo]}`} />
      <p className="min-w-0 flex-1 text-sm font-semibold whitespace-pre-line">{text}</p>
      {action !== undefined && (
        <button
          type="button"
          className="relative rounded px-1 text-sm font-bold text-brand-ink underline pointer-coarse:before:absolute pointer-coarse:before:inset-x-0 pointer-coarse:before:-inset-y-3"
          onClick={() => {
            action.run()
            dismissAviso(id)
          }}
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Fechar aviso"
        className="relative grid size-6 flex-none place-items-center rounded text-muted pointer-coarse:before:absolute pointer-coarse:before:-inset-2.5"
        onClick={() => dismissAviso(id)}
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  )
}

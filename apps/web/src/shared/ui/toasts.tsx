import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useToaster } from 'react-hot-toast/headless'
import { type Aviso, dismissAviso, type AvisoTipo, useAvisos } from '#shared/avisos.ts'
import { isTypingOrInDialog } from '#shared/hooks/use-hotkeys.ts'

const ICON: Readonly<Record<AvisoTipo, typeof Info>> = { sucesso: CircleCheck, erro: CircleAlert, info: Info }
const COLOR: Readonly<Record<AvisoTipo, string>> = {
  sucesso: 'text-brand',
  erro: 'text-danger-ink',
  info: 'text-info-ink',
}

/** More would cover the page. The rest is shown as a number. */
const ON_SCREEN = 3

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

export function Toasts() {
  const { toasts, handlers } = useToaster()
  const avisos = useAvisos()
  const place = useRef<HTMLDivElement>(null)
  usePublishedHeight(place)
  useEffect(() => {
    const go = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey } = event
      if (key === 'F6') place.current?.querySelector('button')?.focus()
      // Text fields have their own undo.
      if (key !== 'z' || !(ctrlKey || metaKey) || shiftKey || isTypingOrInDialog(event)) return
      event.preventDefault()
      undoLatest(avisos)
    }
    addEventListener('keydown', go)
    return () => removeEventListener('keydown', go)
  }, [avisos])
  // Notices of a person who logged out are hidden, although their timers still run.
  const avisoDe = (id: string): Aviso | undefined => avisos.find((um) => um.id === id)
  const visiveis = toasts.filter(({ visible, id }) => visible && avisoDe(id) !== undefined)
  return (
    <div
      ref={place}
      role="region"
      aria-label="Avisos"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      className="avisos fixed z-50 flex flex-col gap-2"
    >
      {visiveis.length > ON_SCREEN && (
        <p className="self-start rounded-full bg-ink px-3 py-1 text-xs font-semibold text-surface shadow-pop">
          Mais {visiveis.length - ON_SCREEN} na Central de avisos
        </p>
      )}
      {visiveis.slice(0, ON_SCREEN).map((toast) => {
        const aviso = avisoDe(toast.id)
        if (aviso === undefined) return null
        const Icone = ICON[aviso.tipo]
        return (
          <div
            key={toast.id}
            role={aviso.tipo === 'erro' ? 'alert' : 'status'}
            className="rise flex items-start gap-2 rounded-xl border border-line bg-surface p-3 shadow-pop"
          >
            <Icone size={20} aria-hidden className={`mt-0.5 flex-none ${COLOR[aviso.tipo]}`} />
            <p className="min-w-0 flex-1 text-sm font-semibold whitespace-pre-line">{aviso.text}</p>
            {aviso.action !== undefined && (
              <button
                type="button"
                className="rounded px-1 text-sm font-bold text-brand-ink underline"
                onClick={() => {
                  aviso.action?.run()
                  dismissAviso(toast.id)
                }}
              >
                {aviso.action.label}
              </button>
            )}
            <button
              type="button"
              aria-label="Fechar aviso"
              className="grid size-6 flex-none place-items-center rounded text-muted"
              onClick={() => dismissAviso(toast.id)}
            >
              <X size={16} aria-hidden />
            </button>
          </div>
        )
      })}
    </div>
  )
}

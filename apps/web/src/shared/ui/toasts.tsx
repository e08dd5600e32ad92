import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { useToaster } from 'react-hot-toast/headless'
import { type Aviso, dispensarAviso, type TipoAviso, useAvisos } from '#shared/avisos.ts'
import { ocupado } from '#shared/hooks/use-hotkeys.ts'

const ICONE: Readonly<Record<TipoAviso, typeof Info>> = { sucesso: CircleCheck, erro: CircleAlert, info: Info }
const COR: Readonly<Record<TipoAviso, string>> = {
  sucesso: 'text-brand',
  erro: 'text-danger-ink',
  info: 'text-info-ink',
}

/** More would cover the page. The rest is shown as a number. */
const NA_TELA = 3

/** Ctrl Z ignores older actions, which the user may have forgotten. The Central still offers them by name. */
const LEMBRADO_MS = 60_000
const DESFAZER = 'Desfazer'

function desfazerUltimo(avisos: readonly Aviso[]): void {
  const ultimo = avisos.find(({ acao }) => acao?.rotulo === DESFAZER)
  if (ultimo !== undefined && Date.now() - ultimo.em < LEMBRADO_MS) ultimo.acao?.fazer()
}

/** Publishes the height as a CSS variable, so that pages leave room. */
function useAltura(lugar: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const alvo = lugar.current
    if (alvo === null) return
    const raiz = document.documentElement.style
    const medir = new ResizeObserver(() => raiz.setProperty('--avisos', `${alvo.offsetHeight}px`))
    medir.observe(alvo, { box: 'border-box' })
    return () => {
      medir.disconnect()
      raiz.removeProperty('--avisos')
    }
  }, [lugar])
}

export function Toasts() {
  const { toasts, handlers } = useToaster()
  const avisos = useAvisos()
  const lugar = useRef<HTMLDivElement>(null)
  useAltura(lugar)
  useEffect(() => {
    const go = (evento: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey } = evento
      if (key === 'F6') lugar.current?.querySelector('button')?.focus()
      // Text fields have their own undo.
      if (key !== 'z' || !(ctrlKey || metaKey) || shiftKey || ocupado(evento)) return
      evento.preventDefault()
      desfazerUltimo(avisos)
    }
    addEventListener('keydown', go)
    return () => removeEventListener('keydown', go)
  }, [avisos])
  // Notices of a person who logged out are hidden, although their timers still run.
  const avisoDe = (id: string): Aviso | undefined => avisos.find((um) => um.id === id)
  const visiveis = toasts.filter(({ visible, id }) => visible && avisoDe(id) !== undefined)
  return (
    <div
      ref={lugar}
      role="region"
      aria-label="Avisos"
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      onFocus={handlers.startPause}
      onBlur={handlers.endPause}
      className="avisos fixed z-50 flex flex-col gap-2"
    >
      {visiveis.length > NA_TELA && (
        <p className="self-start rounded-full bg-ink px-3 py-1 text-xs font-semibold text-surface shadow-pop">
          Mais {visiveis.length - NA_TELA} na Central de avisos
        </p>
      )}
      {visiveis.slice(0, NA_TELA).map((toast) => {
        const aviso = avisoDe(toast.id)
        if (aviso === undefined) return null
        const Icone = ICONE[aviso.tipo]
        return (
          <div
            key={toast.id}
            role={aviso.tipo === 'erro' ? 'alert' : 'status'}
            className="rise flex items-start gap-2 rounded-xl border border-line bg-surface p-3 shadow-pop"
          >
            <Icone size={20} aria-hidden className={`mt-0.5 flex-none ${COR[aviso.tipo]}`} />
            <p className="min-w-0 flex-1 text-sm font-semibold whitespace-pre-line">{aviso.texto}</p>
            {aviso.acao !== undefined && (
              <button
                type="button"
                className="rounded px-1 text-sm font-bold text-brand-ink underline"
                onClick={() => {
                  aviso.acao?.fazer()
                  dispensarAviso(toast.id)
                }}
              >
                {aviso.acao.rotulo}
              </button>
            )}
            <button
              type="button"
              aria-label="Fechar aviso"
              className="grid size-6 flex-none place-items-center rounded text-muted"
              onClick={() => dispensarAviso(toast.id)}
            >
              <X size={16} aria-hidden />
            </button>
          </div>
        )
      })}
    </div>
  )
}

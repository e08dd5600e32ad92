import { X } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  readonly aberto: boolean
  readonly titulo: string
  readonly onFechar: () => void
  readonly children: ReactNode
  readonly largura?: 'md' | 'lg' | 'xl'
  /** Esc and a press outside only call the close callback, which asks first. */
  readonly segurar?: boolean
  readonly lateral?: boolean
}

const LARGURA = { md: 'max-w-md', lg: 'max-w-2xl', xl: 'max-w-4xl' } as const

/** The native modal dialog: traps focus, closes on Esc and restores focus. Content is mounted only while open. */
export function Dialog({
  aberto,
  titulo,
  onFechar,
  children,
  largura = 'md',
  segurar = false,
  lateral = false,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialogo = ref.current
    if (dialogo === null) return
    if (aberto && !dialogo.open) dialogo.showModal()
    if (!aberto && dialogo.open) dialogo.close()
  }, [aberto])
  // Closes on unmount as well, which restores focus.
  useLayoutEffect(() => {
    const dialogo = ref.current
    return () => dialogo?.close()
  }, [])
  const hold = (evento: SyntheticEvent): void => {
    if (!segurar) return
    evento.preventDefault()
    onFechar()
  }
  const forma = lateral ? 'mr-0 ml-auto my-0 h-dvh max-h-none rounded-l-2xl' : 'rounded-2xl max-h-[min(90dvh,52rem)]'
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onFechar}
      onCancel={hold}
      // Browsers allow `cancel` to be prevented once; the key can be caught every time.
      onKeyDown={(evento) => evento.key === 'Escape' && hold(evento)}
      onMouseDown={({ target, currentTarget }) =>
        target === currentTarget && (segurar ? onFechar() : currentTarget.close())
      }
      className={`w-[calc(100vw-1.5rem)] ${LARGURA[largura]} ${forma} scroll-pb-28 overflow-y-auto bg-surface p-0 shadow-pop backdrop:bg-black/45`}
    >
      {aberto && (
        <div className="p-5">
          <div className="mb-4 flex items-start justify-between gap-3">
            <h2 id={id} className="pt-1.5 text-lg font-bold">
              {titulo}
            </h2>
            <IconButton
              rotulo="Fechar"
              dica={false}
              icone={<X size={20} aria-hidden />}
              onClick={onFechar}
              className="-mt-1 -mr-2"
            />
          </div>
          {children}
        </div>
      )}
    </dialog>
  )
}

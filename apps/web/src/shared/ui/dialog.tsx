import { X } from 'lucide-react'
import { type ReactNode, type SyntheticEvent, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './icon-button.tsx'

export interface DialogProps {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  readonly width?: 'md' | 'lg' | 'xl'
  /** Esc and a press outside only call the close callback, which asks first. */
  readonly hold?: boolean
  readonly side?: boolean
}

const WIDTH = { md: 'max-w-md', lg: 'max-w-2xl', xl: 'max-w-4xl' } as const

/** The native modal dialog: traps focus, closes on Esc and restores focus. Content is mounted only while open. */
export function Dialog({
  open,
  title,
  onClose: onFechar,
  children,
  width = 'md',
  hold: segurar = false,
  side = false,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialogo = ref.current
    if (dialogo === null) return
    if (open && !dialogo.open) dialogo.showModal()
    if (!open && dialogo.open) dialogo.close()
  }, [open])
  // Closes on unmount as well, which restores focus.
  useLayoutEffect(() => {
    const dialogo = ref.current
    return () => dialogo?.close()
  }, [])
  const hold = (event: SyntheticEvent): void => {
    if (!segurar) return
    event.preventDefault()
    onFechar()
  }
  const shape = side ? 'mr-0 ml-auto my-0 h-dvh max-h-none rounded-l-2xl' : 'rounded-2xl max-h-[min(90dvh,52rem)]'
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onClose={onFechar}
      onCancel={hold}
      // Browsers allow `cancel` to be prevented once; the key can be caught every time.
      onKeyDown={(event) => event.key === 'Escape' && hold(event)}
      onMouseDown={({ target, currentTarget }) =>
        target === currentTarget && (segurar ? onFechar() : currentTarget.close())
      }
      className={`w-[calc(100vw-1.5rem)] ${WIDTH[width]} ${shape} scroll-pb-28 overflow-y-auto bg-surface p-0 shadow-pop backdrop:bg-black/45`}
    >
      {open && (
        <div className="p-5">
          <div className="mb-4 flex items-start justify-between gap-3">
            <h2 id={id} className="pt-1.5 text-lg font-bold">
              {title}
            </h2>
            <IconButton
              label="Fechar"
              tooltip={false}
              icon={<X size={20} aria-hidden />}
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

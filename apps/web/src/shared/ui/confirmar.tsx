import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'

export interface ConfirmarProps {
  readonly aberto: boolean
  readonly titulo: string
  readonly children: ReactNode
  readonly confirmar: string
  readonly voltar?: string
  readonly onConfirmar: () => void | Promise<void>
  readonly onFechar: () => void
}

/** Confirms an action that cannot be undone. Focus starts on the cancel button. Content is mounted only while open. */
export function Confirmar({
  aberto,
  titulo,
  children,
  confirmar,
  voltar = 'Voltar',
  onConfirmar,
  onFechar,
}: ConfirmarProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [ocupado, setOcupado] = useState(false)
  useEffect(() => {
    const dialogo = ref.current
    if (dialogo === null) return
    if (aberto && !dialogo.open) dialogo.showModal()
    if (!aberto && dialogo.open) dialogo.close()
  }, [aberto])
  const fazer = async (): Promise<void> => {
    setOcupado(true)
    try {
      await onConfirmar()
    } finally {
      setOcupado(false)
      onFechar()
    }
  }
  return (
    <dialog
      ref={ref}
      role="alertdialog"
      aria-labelledby={`${id}-t`}
      aria-describedby={`${id}-d`}
      onClose={onFechar}
      className="w-[calc(100vw-1.5rem)] max-w-md rounded-2xl bg-surface p-5 shadow-pop backdrop:bg-black/45"
    >
      {aberto && (
        <>
          <h2 id={`${id}-t`} className="text-lg font-bold">
            {titulo}
          </h2>
          <div id={`${id}-d`} className="mt-2 text-muted">
            {children}
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Button autoFocus onClick={onFechar}>
              {voltar}
            </Button>
            <Button variante="danger" ocupado={ocupado} onClick={() => void fazer()}>
              {confirmar}
            </Button>
          </div>
        </>
      )}
    </dialog>
  )
}

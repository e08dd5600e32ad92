import { type DragEvent, useState } from 'react'

/** Files let go anywhere on a part of the page: one that misses a small target would replace the whole page. */
export function useSoltar(onSoltar: (arquivos: readonly File[]) => void) {
  const [sobre, setSobre] = useState(false)
  const temArquivos = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
  return {
    /** Something is held over it. */
    sobre,
    soltar: {
      onDragOver: (evento: DragEvent): void => {
        if (!temArquivos(evento)) return
        evento.preventDefault()
        setSobre(true)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent): void => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setSobre(false)
      },
      onDrop: (evento: DragEvent): void => {
        setSobre(false)
        if (!temArquivos(evento)) return
        evento.preventDefault()
        onSoltar([...evento.dataTransfer.files])
      },
    },
  }
}

import { type DragEvent, useState } from 'react'

/** Accepts dropped files anywhere on the element. A file that misses a small target would replace the whole page. */
export function useFileDrop(onDrop: (arquivos: readonly File[]) => void) {
  const [sobre, setSobre] = useState(false)
  const temArquivos = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
  return {
    sobre,
    soltar: {
      onDragOver: (event: DragEvent): void => {
        if (!temArquivos(event)) return
        event.preventDefault()
        setSobre(true)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent): void => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setSobre(false)
      },
      onDrop: (event: DragEvent): void => {
        setSobre(false)
        if (!temArquivos(event)) return
        event.preventDefault()
        onDrop([...event.dataTransfer.files])
      },
    },
  }
}

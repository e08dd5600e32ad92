import { TEXTO_MAXIMO } from '@balcao/contract/constants'
import { type ReactNode, useState } from 'react'
import { formatMarks } from './format-marks.tsx'

interface CustomerTextProps {
  readonly text: string
  readonly className?: string | undefined
  readonly as?: 'p' | 's'
  readonly format?: (text: string) => ReactNode
}

/** A text of a customer. Above 4,096 characters it is plain and cut, because marks and links cost time per drawing. */
export function CustomerText({ text, className, as: Element = 'p', format = formatMarks }: CustomerTextProps) {
  const [whole, setWhole] = useState(false)
  if (text.length <= TEXTO_MAXIMO) return <Element className={className}>{format(text)}</Element>
  return (
    <>
      <Element className={className}>{whole ? text : `${text.slice(0, TEXTO_MAXIMO)}…`}</Element>
      <button
        type="button"
        aria-expanded={whole}
        className="block min-h-11 font-semibold underline"
        onClick={() => setWhole(!whole)}
      >
        {whole ? 'Mostrar menos' : 'Mostrar tudo'}
      </button>
    </>
  )
}

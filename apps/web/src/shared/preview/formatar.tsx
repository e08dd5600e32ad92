import { Fragment, type ReactNode } from 'react'

const MARCA =
  /(?<mono>```|`)(?=\s*[^\s`])(?<fixo>[^`]+)\k<mono>|(?<![\p{L}\p{N}])(?<marca>[*_~])(?=\S)(?<dentro>.+?)(?<=\S)\k<marca>(?![\p{L}\p{N}])/u

/** WhatsApp's marks as elements: *bold*, _italic_, ~strike~, one within the other, and ```mono```, inside which nothing is a mark. */
export function formatar(texto: string): ReactNode {
  const achado = MARCA.exec(texto)
  if (achado === null) return texto
  const { fixo, marca, dentro = '' } = achado.groups ?? {}
  const Elemento = marca === '*' ? 'strong' : marca === '_' ? 'em' : 's'
  return (
    <Fragment>
      {texto.slice(0, achado.index)}
      {fixo === undefined ? (
        <Elemento>{formatar(dentro)}</Elemento>
      ) : (
        <code className="font-mono text-[0.92em]">{fixo}</code>
      )}
      {formatar(texto.slice(achado.index + achado[0].length))}
    </Fragment>
  )
}

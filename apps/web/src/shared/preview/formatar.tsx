import { Fragment, type ReactNode } from 'react'

const MARCA =
  /(?<mono>```|`)(?=\s*[^\s`])(?<fixo>[^`]+)\k<mono>|(?<![\p{L}\p{N}])(?<marca>[*_~])(?=\S)(?<dentro>.+?)(?<=\S)\k<marca>(?![\p{L}\p{N}])/u

const comoEsta = (trecho: string): ReactNode => trecho

/**
 * Renders WhatsApp's marks: *bold*, _italic_, ~strike~, nested as well, and ```mono```, which contains no marks.
 * The callback draws the text pieces in reading order.
 */
export function formatar(texto: string, folha = comoEsta): ReactNode {
  const achado = MARCA.exec(texto)
  if (achado === null) return folha(texto)
  const { fixo, marca, dentro = '' } = achado.groups ?? {}
  const Elemento = marca === '*' ? 'strong' : marca === '_' ? 'em' : 's'
  return (
    <Fragment>
      {folha(texto.slice(0, achado.index))}
      {fixo === undefined ? (
        <Elemento>{formatar(dentro, folha)}</Elemento>
      ) : (
        <code className="font-mono text-[0.92em]">{folha(fixo)}</code>
      )}
      {formatar(texto.slice(achado.index + achado[0].length), folha)}
    </Fragment>
  )
}

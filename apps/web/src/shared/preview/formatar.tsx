import { Fragment, type ReactNode } from 'react'

const MARCA = /(?<![\p{L}\p{N}])([*_~])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/u

const comoEsta = (trecho: string): ReactNode => trecho

/** WhatsApp's marks as elements: *bold*, _italic_, ~strike~, one within the other. `folha` draws the pieces, in order of reading. */
export function formatar(texto: string, folha = comoEsta): ReactNode {
  const achado = MARCA.exec(texto)
  if (achado === null) return folha(texto)
  const [tudo, marca, dentro = ''] = achado
  const Elemento = marca === '*' ? 'strong' : marca === '_' ? 'em' : 's'
  return (
    <Fragment>
      {folha(texto.slice(0, achado.index))}
      <Elemento>{formatar(dentro, folha)}</Elemento>
      {formatar(texto.slice(achado.index + tudo.length), folha)}
    </Fragment>
  )
}

import { Fragment, type ReactNode } from 'react'

const MARCA = /(?<![\p{L}\p{N}])([*_~])(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/u

/** WhatsApp's marks as elements: *bold*, _italic_, ~strike~, one within the other. */
export function formatar(texto: string): ReactNode {
  const achado = MARCA.exec(texto)
  if (achado === null) return texto
  const [tudo, marca, dentro = ''] = achado
  const Elemento = marca === '*' ? 'strong' : marca === '_' ? 'em' : 's'
  return (
    <Fragment>
      {texto.slice(0, achado.index)}
      <Elemento>{formatar(dentro)}</Elemento>
      {formatar(texto.slice(achado.index + tudo.length))}
    </Fragment>
  )
}

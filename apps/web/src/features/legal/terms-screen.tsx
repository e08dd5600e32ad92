import { LegalLayout } from './legal-layout.tsx'
import { TERMOS } from './termos.tsx'

export function TermsScreen() {
  return (
    <LegalLayout
      titulo="Termos de uso"
      resumo="O que você pode esperar do Balcão e o que o Balcão espera de você, em palavras simples."
      vigencia="1º de novembro de 2025"
      clausulas={TERMOS}
      outra={{ to: '/privacy', rotulo: 'Política de privacidade' }}
    />
  )
}

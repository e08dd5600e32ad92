import { LegalLayout } from './legal-layout.tsx'
import { TERMS_CLAUSES } from './terms-text.tsx'

export function TermsScreen() {
  return (
    <LegalLayout
      title="Termos de uso"
      summary="O que você pode esperar do Balcão e o que o Balcão espera de você, em palavras simples."
      effectiveDate="1º de novembro de 2025"
      clauses={TERMS_CLAUSES}
      otherPage={{ to: '/privacy', rotulo: 'Política de privacidade' }}
    />
  )
}

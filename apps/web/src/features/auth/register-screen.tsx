export function RegisterScreen() {
  return <main>Em construção</main>
}

export function LoginScreen() {
  return <main>Em construção</main>
}

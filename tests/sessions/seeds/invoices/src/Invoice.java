import java.math.BigDecimal;
import java.util.List;

record Line(String text, BigDecimal net, String vatClass) {}

record Invoice(String number, List<Line> lines) {
    BigDecimal net() {
        return lines.stream().map(Line::net).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
